/** Loads the mannequin, the rig and the core, and starts the page. */
import { loadCore } from "../../core/index.ts";
import { loadRig } from "../../three/index.ts";
import { start } from "../page.ts";
import { App } from "./app.ts";
import { fetchModel } from "./body/mannequin.ts";
import "./main.css";

const root = document.getElementById("app")!;
const beside = (path: string): URL => new URL(path, document.baseURI);

start(root, async () => {
  const [core, rig, model] = await Promise.all([
    loadCore(beside("../../sinew.wasm")),
    loadRig(beside("../../sinew_rig.wasm")),
    fetchModel(beside("../../samples/mannequin.glb")),
  ]);
  await new App(root, core, rig, model).begin();
});
