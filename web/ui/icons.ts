/** The icons, each a drawing of its own in icons/. */
import add from "./icons/add.svg";
import autoKey from "./icons/auto-key.svg";
import camera from "./icons/camera.svg";
import checkMark from "./icons/check.svg";
import chevron from "./icons/chevron.svg";
import clip from "./icons/clip.svg";
import close from "./icons/close.svg";
import copy from "./icons/copy.svg";
import error from "./icons/error.svg";
import filter from "./icons/filter.svg";
import folder from "./icons/folder.svg";
import frame from "./icons/frame.svg";
import grid from "./icons/grid.svg";
import help from "./icons/help.svg";
import info from "./icons/info.svg";
import joint from "./icons/joint.svg";
import keySet from "./icons/key-set.svg";
import key from "./icons/key.svg";
import local from "./icons/local.svg";
import lock from "./icons/lock.svg";
import logo from "./icons/logo.svg";
import magnet from "./icons/magnet.svg";
import mesh from "./icons/mesh.svg";
import more from "./icons/more.svg";
import move from "./icons/move.svg";
import nextKey from "./icons/next-key.svg";
import node from "./icons/node.svg";
import once from "./icons/once.svg";
import open from "./icons/open.svg";
import pause from "./icons/pause.svg";
import pingPong from "./icons/ping-pong.svg";
import play from "./icons/play.svg";
import previousKey from "./icons/previous-key.svg";
import redo from "./icons/redo.svg";
import rename from "./icons/rename.svg";
import repeat from "./icons/repeat.svg";
import rotate from "./icons/rotate.svg";
import save from "./icons/save.svg";
import scale from "./icons/scale.svg";
import search from "./icons/search.svg";
import skeleton from "./icons/skeleton.svg";
import sliders from "./icons/sliders.svg";
import stepBack from "./icons/step-back.svg";
import stepForward from "./icons/step-forward.svg";
import timeline from "./icons/timeline.svg";
import trash from "./icons/trash.svg";
import tree from "./icons/tree.svg";
import undo from "./icons/undo.svg";
import warning from "./icons/warning.svg";
import world from "./icons/world.svg";

const drawings = {
  add,
  "auto-key": autoKey,
  camera,
  check: checkMark,
  chevron,
  clip,
  close,
  copy,
  error,
  filter,
  folder,
  frame,
  grid,
  help,
  info,
  joint,
  "key-set": keySet,
  key,
  local,
  lock,
  logo,
  magnet,
  mesh,
  more,
  move,
  "next-key": nextKey,
  node,
  once,
  open,
  pause,
  "ping-pong": pingPong,
  play,
  "previous-key": previousKey,
  redo,
  rename,
  repeat,
  rotate,
  save,
  scale,
  search,
  skeleton,
  sliders,
  "step-back": stepBack,
  "step-forward": stepForward,
  timeline,
  trash,
  tree,
  undo,
  warning,
  world,
};

export type IconName = keyof typeof drawings;

const parsed = new Map<IconName, SVGElement>();

/** A new copy of an icon, hidden from assistive technology: what carries it has a name. */
export function icon(name: IconName): SVGElement {
  let drawing = parsed.get(name);
  if (!drawing) {
    const page = new DOMParser().parseFromString(drawings[name], "image/svg+xml");
    drawing = document.importNode(page.documentElement, true) as unknown as SVGElement;
    drawing.setAttribute("class", "icon");
    drawing.setAttribute("aria-hidden", "true");
    parsed.set(name, drawing);
  }
  return drawing.cloneNode(true) as SVGElement;
}
