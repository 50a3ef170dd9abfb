/** Loads the core and starts the editor. */
import { loadCore } from "../core/index.ts";
import { App } from "./app.ts";
import { inWords } from "./editor.ts";
import "./styles/main.css";

const root = document.getElementById("app")!;

async function start(): Promise<void> {
  const core = await loadCore(new URL("sinew.wasm", document.baseURI));
  await new App(core, root).begin();
}

start().catch((error: unknown) => {
  root.textContent = `The editor cannot start: ${inWords(error)}`;
  root.className = "failed";
  throw error;
});
