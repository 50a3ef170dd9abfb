/** The nodes of the model as a tree, with search. */
import { button, h, oncePerFrame, replaceChildren } from "../../ui/dom.ts";
import type { Editor } from "../editor.ts";
import { nodeName } from "../format.ts";
import { icon, type IconName } from "../../ui/icons.ts";
import type { NodeInfo } from "../../core/types.ts";

export class Tree {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "tree", role: "tree", "aria-label": "Nodes" });
  private readonly search = h("input", {
    class: "search-input",
    type: "search",
    placeholder: "Search nodes",
    "aria-label": "Search nodes",
    autocomplete: "off",
    spellcheck: "false",
  });
  private readonly none = h("p", { class: "panel-empty" });
  private readonly collapsed = new Set<number>();
  private readonly items = new Map<number, HTMLElement>();
  /** Visible nodes from top to bottom. */
  private visible: number[] = [];

  constructor(
    private readonly editor: Editor,
    private readonly frame: (node: number) => void,
  ) {
    this.element = h(
      "section",
      { class: "panel panel-tree", "aria-label": "Nodes" },
      h(
        "header",
        { class: "panel-header" },
        h("h2", {}, "Nodes"),
        button({
          icon: "chevron",
          label: "Collapse all",
          class: "tree-collapse",
          press: () => this.collapseAll(),
        }),
      ),
      h("div", { class: "search" }, icon("search"), this.search),
      this.list,
      this.none,
    );
    this.search.addEventListener("input", () => this.build());
    this.search.addEventListener("keydown", (event) => this.searchKeyed(event));
    this.list.addEventListener("click", (event) => this.clicked(event));
    this.list.addEventListener("dblclick", (event) => {
      const node = this.nodeOf(event);
      if (node !== null) this.frame(node);
    });
    this.list.addEventListener("keydown", (event) => this.keyed(event));
    this.list.addEventListener("pointerover", (event) => editor.setHover(this.nodeOf(event)));
    this.list.addEventListener("pointerleave", () => editor.setHover(null));
    editor.on(["file"], () => {
      this.collapsed.clear();
      this.search.value = "";
      this.build();
    });
    editor.on(["node"], () => this.select());
    editor.on(["hover"], () => this.markHover());
    editor.on(
      ["document", "clip"],
      oncePerFrame(() => this.markAnimated()),
    );
  }

  private nodeOf(event: Event): number | null {
    const item = (event.target as Element).closest<HTMLElement>("[data-node]");
    return item ? Number(item.dataset["node"]) : null;
  }

  // ---- building ----

  private build(): void {
    const { nodes } = this.editor;
    const words = this.search.value.trim().toLowerCase();
    this.items.clear();
    this.visible = [];
    const rows: HTMLElement[] = [];
    if (words) {
      for (const node of nodes)
        if (nodeName(node).toLowerCase().includes(words)) rows.push(this.item(node, 1, false));
    } else {
      for (const root of nodes) if (root.parent === null) this.grow(root, 1, rows);
    }
    replaceChildren(this.list, ...rows);
    this.none.textContent = words ? `No node is called “${this.search.value.trim()}”.` : "";
    this.none.hidden = rows.length > 0 || !words;
    this.markAnimated();
    this.select();
  }

  private grow(node: NodeInfo, level: number, rows: HTMLElement[]): void {
    // Explicit stack: a file may chain thousands of nodes.
    const stack: [NodeInfo, number][] = [[node, level]];
    while (stack.length) {
      const [at, depth] = stack.pop()!;
      rows.push(this.item(at, depth, at.children.length > 0));
      if (this.collapsed.has(at.index)) continue;
      for (const child of [...at.children].reverse())
        stack.push([this.editor.nodes[child]!, depth + 1]);
    }
  }

  private item(node: NodeInfo, level: number, parent: boolean): HTMLElement {
    const open = !this.collapsed.has(node.index);
    const kind: IconName =
      node.mesh !== null
        ? "mesh"
        : node.isJoint
          ? "joint"
          : node.camera !== null
            ? "camera"
            : "node";
    const item = h(
      "div",
      {
        class: "tree-item",
        role: "treeitem",
        "data-node": node.index,
        "aria-level": level,
        "aria-expanded": parent ? String(open) : null,
        "aria-selected": "false",
        tabindex: -1,
        title: nodeName(node),
      },
      h(
        "span",
        { class: `tree-twist ${parent ? "" : "tree-leaf"}`, "aria-hidden": "true" },
        icon("chevron"),
      ),
      h("span", { class: `tree-kind tree-kind-${kind}` }, icon(kind)),
      h("span", { class: "tree-name" }, nodeName(node)),
      h("span", { class: "tree-keyed", title: "Animated in this clip" }, icon("key-set")),
    );
    item.style.setProperty("--level", String(Math.min(level, 24)));
    this.items.set(node.index, item);
    this.visible.push(node.index);
    return item;
  }

  private collapseAll(): void {
    const any = this.editor.nodes.some(
      (node) => node.children.length && !this.collapsed.has(node.index),
    );
    this.collapsed.clear();
    if (any)
      for (const node of this.editor.nodes)
        if (node.children.length) this.collapsed.add(node.index);
    this.build();
  }

  private toggle(node: number, open = this.collapsed.has(node)): void {
    if (open) this.collapsed.delete(node);
    else this.collapsed.add(node);
    this.build();
    this.items.get(node)?.focus();
  }

  // ---- following the editor ----

  private select(): void {
    const { node } = this.editor;
    if (node !== null && !this.items.has(node) && !this.search.value && this.editor.nodes[node]) {
      let opened = false;
      for (
        let at = this.editor.nodes[node]?.parent ?? null;
        at !== null;
        at = this.editor.nodes[at]?.parent ?? null
      )
        opened = this.collapsed.delete(at) || opened;
      if (opened) return this.build();
    }
    for (const item of this.list.querySelectorAll("[aria-selected=true]"))
      item.setAttribute("aria-selected", "false");
    for (const item of this.list.querySelectorAll("[tabindex='0']"))
      item.setAttribute("tabindex", "-1");
    const item = node === null ? undefined : this.items.get(node);
    item?.setAttribute("aria-selected", "true");
    (item ?? this.list.firstElementChild)?.setAttribute("tabindex", "0");
    item?.scrollIntoView({ block: "nearest" });
  }

  private markHover(): void {
    for (const item of this.list.querySelectorAll(".tree-hover"))
      item.classList.remove("tree-hover");
    if (this.editor.hover !== null) this.items.get(this.editor.hover)?.classList.add("tree-hover");
  }

  private markAnimated(): void {
    const animated = new Set(this.editor.clipInfo?.tracks.map((track) => track.node));
    for (const [node, item] of this.items)
      item.classList.toggle("tree-animated", animated.has(node));
  }

  // ---- input ----

  private clicked(event: MouseEvent): void {
    const node = this.nodeOf(event);
    if (node === null) return;
    if ((event.target as Element).closest(".tree-twist:not(.tree-leaf)")) return this.toggle(node);
    this.editor.selectNode(node);
    this.items.get(node)?.focus();
  }

  private searchKeyed(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "Escape") {
      this.search.value = "";
      this.build();
    } else if (event.key === "ArrowDown" || event.key === "Enter") {
      const [first] = this.visible;
      if (first === undefined) return;
      event.preventDefault();
      this.go(first);
    }
  }

  private go(node: number | undefined): void {
    if (node === undefined) return;
    this.editor.selectNode(node);
    this.items.get(node)?.focus();
  }

  private keyed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const node = this.nodeOf(event);
    if (node === null) return;
    const info = this.editor.nodes[node]!;
    const at = this.visible.indexOf(node);
    const folded = this.collapsed.has(node);
    switch (event.key) {
      case "ArrowDown":
        this.go(this.visible[at + 1]);
        break;
      case "ArrowUp":
        this.go(this.visible[at - 1]);
        break;
      case "ArrowRight":
        if (folded) this.toggle(node, true);
        else this.go(info.children[0]);
        break;
      case "ArrowLeft":
        if (info.children.length && !folded && !this.search.value) this.toggle(node, false);
        else this.go(info.parent ?? undefined);
        break;
      case "Home":
        this.go(this.visible[0]);
        break;
      case "End":
        this.go(this.visible.at(-1));
        break;
      case "Enter":
        this.editor.selectNode(node);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
