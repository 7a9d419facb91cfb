/** What pages with a diff do beyond showing it. Without JavaScript, all of it works in a plainer way. */
import { addKey } from "../../components/client/add-key.ts";
import { find, on } from "../../components/client/dom.ts";
import { startSideTree } from "../../components/client/side-tree.ts";
import { startExpanding } from "../client/diff-expand.ts";
import { startLines } from "../client/diff-lines.ts";
import { startPlaces } from "../client/diff-places.ts";
import { startTree } from "../client/diff-tree.ts";

const FILES = ".diff-file";
const CHANGES = ".diff-file[open] .hunk";
/** Anything closer to the top than this counts as passed. */
const MARGIN = 60;

/** Moves through a diff by keyboard: `n` and `p` by file, `j` and `k` by change. */
function go(selector: string, by: 1 | -1): void {
  const all = find(selector);
  const top = (element: Element) => element.getBoundingClientRect().top;
  const next = by === 1 ? all.find((each) => top(each) > MARGIN) : all.findLast((each) => top(each) < MARGIN - 20);
  if (!next) return;
  scrollBy({ top: top(next) - MARGIN + 12 });
  const target = next.matches("details") ? next.querySelector<HTMLElement>("summary") : next;
  if (target && target.tagName !== "SUMMARY") target.tabIndex = -1;
  target?.focus({ preventScroll: true });
}

on("click", "[data-fold-files]", (button) => {
  const files = find<HTMLDetailsElement>(FILES);
  const isOpen = files.some((file) => file.open);
  for (const file of files) file.open = !isOpen;
  button.setAttribute("aria-pressed", String(isOpen));
});
const isUseful = () => document.querySelector(FILES) !== null;
addKey({ key: "n", name: "nextFile", isUseful, press: () => go(FILES, 1) });
addKey({ key: "p", name: "previousFile", isUseful, press: () => go(FILES, -1) });
addKey({ key: "j", name: "nextChange", isUseful, press: () => go(CHANGES, 1) });
addKey({ key: "k", name: "previousChange", isUseful, press: () => go(CHANGES, -1) });
startExpanding();
startLines();
startPlaces();
startSideTree();
startTree();
