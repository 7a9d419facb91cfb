/** Overlays two images, and shows their sizes. Loaded when a diff has an image. */
import { find, on, onArrival } from "../../components/client/dom.ts";
import styles from "./image-diff.css" with { type: "text" };

const BOX = "[data-image-diff]";

function shareOf(box: HTMLElement): HTMLInputElement | null {
  return box.querySelector<HTMLInputElement>("[data-image-share]");
}

function setShare(box: HTMLElement, percent: number): void {
  const field = shareOf(box);
  if (field) field.value = String(percent);
  box.style.setProperty("--share", `${percent}%`);
}

function show(box: HTMLElement, way: string): void {
  box.dataset["way"] = way;
  for (const button of find("[data-image-way]", box))
    button.setAttribute("aria-pressed", String(button.dataset["imageWay"] === way));
  const field = shareOf(box);
  if (field) field.hidden = way === "side";
  setShare(box, 50);
}

/** Adds the size in pixels after the one in bytes. */
function tellSize(image: HTMLImageElement): void {
  const place = image.parentElement?.querySelector("[data-image-size]");
  if (place && image.naturalWidth > 0) place.textContent = ` · ${image.naturalWidth} × ${image.naturalHeight}`;
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets.push(sheet);

on("click", "[data-image-way]", (button) => {
  const box = button.closest<HTMLElement>(BOX);
  if (box) show(box, button.dataset["imageWay"] ?? "side");
});
document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.matches("[data-image-share]")) return;
  const box = target.closest<HTMLElement>(BOX);
  if (box) setShare(box, Number(target.value));
});
on("pointermove", '[data-way="swipe"] .image-sides', (sides, event) => {
  const box = sides.closest<HTMLElement>(BOX);
  const after = sides.querySelector(".image-after")?.getBoundingClientRect();
  if (!box || !after || after.width === 0) return;
  const percent = Math.round(((event.clientX - after.left) / after.width) * 100);
  setShare(box, Math.min(100, Math.max(0, percent)));
});
onArrival(() => {
  for (const image of find<HTMLImageElement>(`${BOX} img`)) {
    tellSize(image);
    image.addEventListener("load", () => tellSize(image), { once: true });
  }
});
