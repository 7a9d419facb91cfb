import { find, keepStill, on, onArrival } from "../../components/client/dom.ts";
import { closeMenu } from "../../components/client/menus.ts";

/** Editing in place, quoting, previews, and live updates. */

const boxOf = (element: Element) => element.closest<HTMLElement>("[data-text-box]");

/** Switches between writing and preview. */
function showSide(button: HTMLElement): void {
  const box = boxOf(button);
  if (!box) return;
  const isPreview = button.dataset["show"] === "preview";
  const [text, preview] = [box.querySelector("textarea"), box.querySelector<HTMLElement>(".text-box-preview")];
  if (!text || !preview) return;
  text.hidden = isPreview;
  preview.hidden = !isPreview;
  for (const each of find("[data-show]", box)) each.setAttribute("aria-pressed", String(each === button));
  if (!isPreview) text.focus();
}

/** Quotes the selected part of a comment, or all of it, at the end of the new one. */
function quote(anchor: string): void {
  const body = document.getElementById(anchor)?.querySelector<HTMLElement>("[data-body] .prose");
  const field = document.querySelector<HTMLTextAreaElement>("#new-comment textarea");
  if (!body || !field) return;
  const selection = getSelection();
  if (!selection) return;
  if (selection.isCollapsed || !body.contains(selection.anchorNode)) selection.selectAllChildren(body);
  const text = selection.toString().trim();
  closeMenu();
  const quoted = text.replace(/^/gm, "> ");
  field.value = `${field.value === "" ? "" : `${field.value.trimEnd()}\n\n`}${quoted}\n\n`;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

/** An edit form was inserted behind a text: hide the text meanwhile, and keep only one form open. */
function arrange(): void {
  for (const place of find("[data-editing]")) {
    const before = place.previousElementSibling;
    if (before instanceof HTMLElement && before.dataset["editing"] !== undefined) before.remove();
    const body = place.previousElementSibling;
    if (body instanceof HTMLElement) body.hidden = true;
  }
}

// While a text is edited in place, or a menu is open, the conversation is not refreshed.
const catchUp = keepStill(
  "conversation",
  "timeline.changed",
  () =>
    document.querySelector(
      "#conversation [data-editing], #conversation details[open], #item-head details[open], #item-side details[open]",
    ) !== null,
);

function stopEditing(form: Element): boolean {
  const place = form.closest<HTMLElement>("[data-editing]");
  const body = place?.previousElementSibling;
  if (!place || !(body instanceof HTMLElement)) return false;
  place.remove();
  body.hidden = false;
  catchUp();
  return true;
}

export function startComments(): void {
  on("click", "[data-show]", (button) => showSide(button));
  on("click", "[data-quote]", (button) => quote(button.dataset["quote"] ?? ""));
  onArrival(arrange);
  on("click", "[data-edit-form] .form-actions a", (link, event) => {
    if (stopEditing(link)) event.preventDefault();
  });
  on("submit", "form[data-confirm]", (form, event) => {
    if (!confirm(form.dataset["confirm"])) event.preventDefault();
  });
  document.addEventListener("toggle", catchUp, true);
  // A link to a comment in the folded part: ask the server to unfold it.
  const [, entry] = /^#issuecomment-(\d+)$/.exec(location.hash) ?? [];
  if (entry && document.getElementById("folded") && !document.getElementById(`issuecomment-${entry}`)) {
    const address = new URL(location.href);
    if (address.searchParams.get("entry") !== entry) {
      address.searchParams.set("entry", entry);
      location.replace(address);
    }
  }
}
