/** The seated angler. */
import "./main.css";
import { buildPage, start } from "../page.ts";

const root = document.getElementById("app")!;

start(root, async () => {
  buildPage(root, "Angler");
});
