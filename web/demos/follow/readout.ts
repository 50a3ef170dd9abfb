/** The numbers over the scene, and a map of where face and eyes point within their limits. */
import { MathUtils } from "three";
import type { CursorFollow, Gaze } from "../../three/index.ts";
import { h } from "../../ui/dom.ts";

const { radToDeg } = MathUtils;
/** Degrees from the middle to the left and right edge of the map. */
const SPAN = 60;
const WIDTH = 168;
const HEIGHT = 112;
const SCALE = WIDTH / 2 / SPAN; // pixels a degree

const svg = <K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number>,
): SVGElementTagNameMap[K] => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
};

export class Readout {
  readonly element: HTMLElement;
  readonly #cells = new Map<string, HTMLElement>();
  readonly #headLimits = svg("rect", { class: "map-limits", rx: 3 });
  readonly #eyesLimits = svg("rect", { class: "map-limits map-eyes", rx: 3 });
  readonly #head = svg("circle", { class: "map-head", r: 5 });
  readonly #eyes = svg("circle", { class: "map-eyes-dot", r: 3.5 });
  readonly #bar = h("span", { class: "weight-bar" });
  readonly #weight = h("span", { "data-value": "weight" });

  constructor() {
    const map = svg("svg", {
      class: "map",
      viewBox: `${-WIDTH / 2} ${-HEIGHT / 2} ${WIDTH} ${HEIGHT}`,
      "aria-hidden": "true",
    });
    map.append(
      svg("line", { class: "map-axis", x1: -WIDTH / 2, x2: WIDTH / 2 }),
      svg("line", { class: "map-axis", y1: -HEIGHT / 2, y2: HEIGHT / 2 }),
      this.#headLimits,
      this.#eyesLimits,
      this.#head,
      this.#eyes,
    );
    const columns = h(
      "tr",
      {},
      h("td"),
      h("th", { scope: "col" }, "left"),
      h("th", { scope: "col" }, "up"),
    );
    this.element = h(
      "div",
      { class: "readout" },
      map,
      h("table", {}, columns, this.#row("head", "Head"), this.#row("eyes", "Eyes")),
      h("div", { class: "weight" }, h("span", {}, "Weight"), this.#weight),
      h("div", { class: "weight-track", "aria-hidden": "true" }, this.#bar),
    );
  }

  #row(key: string, name: string): HTMLElement {
    const cells = ["yaw", "pitch"].map((angle) => {
      const cell = h("td", { "data-value": `${key} ${angle}` });
      this.#cells.set(`${key} ${angle}`, cell);
      return cell;
    });
    return h("tr", {}, h("th", { scope: "row", class: `map-key-${key}` }, name), ...cells);
  }

  #set(key: string, { yaw, pitch }: Gaze): void {
    this.#cells.get(`${key} yaw`)!.textContent = degrees(yaw);
    this.#cells.get(`${key} pitch`)!.textContent = degrees(pitch);
  }

  show(follow: CursorFollow): void {
    const { head, eyes, currentWeight, currentEyesWeight, headLimits, eyesLimits } = follow;
    const face = { yaw: head.yaw * currentWeight, pitch: head.pitch * currentWeight };
    const gaze = {
      yaw: face.yaw + eyes.yaw * currentEyesWeight,
      pitch: face.pitch + eyes.pitch * currentEyesWeight,
    };
    this.#set("head", face);
    this.#set("eyes", { yaw: gaze.yaw - face.yaw, pitch: gaze.pitch - face.pitch });
    this.#weight.textContent = currentWeight.toFixed(2);
    this.#bar.style.width = `${currentWeight * 100}%`;
    place(this.#head, face);
    place(this.#eyes, gaze);
    frame(this.#headLimits, { yaw: 0, pitch: 0 }, headLimits);
    frame(this.#eyesLimits, face, eyesLimits);
  }
}

const degrees = (radians: number): string => `${radToDeg(radians).toFixed(1).replace("-", "−")}°`;

/** As the viewer sees it: the character's left is to the right. */
function place(dot: SVGCircleElement, { yaw, pitch }: Gaze): void {
  dot.setAttribute("cx", String(radToDeg(yaw) * SCALE));
  dot.setAttribute("cy", String(-radToDeg(pitch) * SCALE));
}

function frame(
  rect: SVGRectElement,
  centre: Gaze,
  { yaw, up, down }: { yaw: number; up: number; down: number },
): void {
  const pixels = (radians: number): number => radToDeg(radians) * SCALE;
  rect.setAttribute("x", String(pixels(centre.yaw - yaw)));
  rect.setAttribute("y", String(-pixels(centre.pitch + up)));
  rect.setAttribute("width", String(pixels(2 * yaw)));
  rect.setAttribute("height", String(pixels(up + down)));
}
