/** Two small curves over the last seconds of the session. */
import { h } from "../../../ui/dom.ts";

const SPAN = 6;

interface Sample {
  time: number;
  values: readonly [number, number];
}

export interface Curve {
  readonly name: string;
  readonly unit: string;
  readonly color: string;
  /** 0 … 1 of the height. */
  readonly scale: (value: number) => number;
}

export class Plot {
  readonly canvas = h("canvas", {
    class: "plot",
    role: "img",
    "aria-label": "Wrist error and elbow rate over the last seconds",
  });
  readonly #context = this.canvas.getContext("2d")!;
  #samples: Sample[] = [];

  constructor(private readonly curves: readonly [Curve, Curve]) {}

  add(time: number, values: readonly [number, number]): void {
    const last = this.#samples.at(-1);
    if (last && (time < last.time || time > last.time + 1)) this.#samples = [];
    if (last?.time === time) return;
    this.#samples.push({ time, values });
    while (this.#samples[0]!.time < time - SPAN) this.#samples.shift();
    this.#draw(time);
  }

  #draw(now: number): void {
    const { canvas } = this;
    const context = this.#context;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const ratio = devicePixelRatio;
    if (canvas.width !== width * ratio)
      [canvas.width, canvas.height] = [width * ratio, height * ratio];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const style = getComputedStyle(canvas);
    context.lineWidth = 1.5;
    this.curves.forEach((curve, which) => {
      context.strokeStyle = style.getPropertyValue(curve.color);
      context.beginPath();
      for (const { time, values } of this.#samples) {
        const x = width - ((now - time) / SPAN) * width;
        context.lineTo(x, height - 3 - curve.scale(values[which]!) * (height - 6));
      }
      context.stroke();
    });
  }
}
