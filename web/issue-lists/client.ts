import { addKey } from "../components/client/add-key.ts";
import { find } from "../components/client/dom.ts";

/**
 * The checkbox that selects every row, menus with the Alt key, and list keys: x selects the focused row, o opens it.
 */

const boxes = () => find<HTMLInputElement>(".item-list .item-box");
const focusedRow = () => document.activeElement?.closest(".item-list > li");

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.matches("[data-select-all]")) for (const box of boxes()) box.checked = target.checked;
  const bar = document.querySelector<HTMLDetailsElement>(".bulk");
  if (bar && target.matches(".item-box") && target.checked) bar.open = true;
});

// In the label menu, the Alt key asks for everything without the label.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-alt-href]") : null;
  if (!link || !event.altKey) return;
  event.preventDefault();
  location.assign(link.dataset["altHref"] ?? link.href);
});

addKey({
  key: "x",
  name: "chooseRow",
  isUseful: () => boxes().length > 0,
  press: () => focusedRow()?.querySelector<HTMLInputElement>(".item-box")?.click(),
});
addKey({
  key: "o",
  name: "openRow",
  isUseful: () => document.querySelector(".item-list") !== null,
  press: () => focusedRow()?.querySelector<HTMLAnchorElement>(".item-title")?.click(),
});
