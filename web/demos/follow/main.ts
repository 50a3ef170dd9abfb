/** Loads the mannequin and the rig, and starts the page. */
import { loadRig } from "../../three/index.ts";
import { start } from "../page.ts";
import { App } from "./app.ts";
import { Character } from "./character.ts";
import "./main.css";

const root = document.getElementById("app")!;
const beside = (path: string): URL => new URL(path, document.baseURI);

start(root, async () => {
  const [rig, character] = await Promise.all([
    loadRig(beside("../../sinew_rig.wasm")),
    Character.load(beside("../../samples/mannequin.glb")),
  ]);
  new App(root, rig, character);
});
