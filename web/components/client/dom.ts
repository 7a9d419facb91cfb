/** Shared by every client module. No innerHTML anywhere: the CSP (Trusted Types) would block it. */

export function find<E extends Element = HTMLElement>(selector: string, from: ParentNode = document): E[] {
  return [...from.querySelectorAll<E>(selector)];
}

/** The text of a link or button, without a count beside it. */
export function textOf(element: Element): string {
  return [...element.childNodes]
    .filter((node) => !(node instanceof Element && node.matches(".count, .i")))
    .map((node) => node.textContent ?? "")
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

/** Announces a text to screen readers. */
export function say(text: string): void {
  const region = document.getElementById("said");
  if (region) region.textContent = text;
}

/**
 * A translated sentence that the page supplies for the script (`data-…` of the live region), with each `{name}` filled
 * in.
 */
export function word(name: string, values: Readonly<Record<string, string | number>> = {}): string {
  const sentence = document.getElementById("said")?.dataset[name] ?? name;
  return sentence.replace(/\{(\w+)\}/g, (all, key: string) => String(values[key] ?? all));
}

/** The nearest ancestor of the event's target that matches the selector. */
export function around<E extends Element = HTMLElement>(event: Event, selector: string): E | null {
  return event.target instanceof Element ? event.target.closest<E>(selector) : null;
}

/** Listens on the document for events at elements matching a selector, including those swapped in later. */
export function on<Name extends keyof DocumentEventMap>(
  name: Name,
  selector: string,
  act: (element: HTMLElement, event: DocumentEventMap[Name]) => void,
): void {
  document.addEventListener(name, (event) => {
    const element = around(event, selector);
    if (element) act(element, event);
  });
}

/** Calls back for the page and for every part that is swapped in later. */
export function onArrival(act: () => void): void {
  act();
  document.addEventListener("htmx:after:swap", act);
}

export function isTyping(event: Event): boolean {
  return around(event, "input:not([type=checkbox],[type=radio]),textarea,select,[contenteditable]") !== null;
}

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Replaces the selection in a field with a text and puts the cursor after it, as if it were typed. */
export function insertText(field: HTMLTextAreaElement, text: string): void {
  // Deprecated, but the only way that keeps the browser's undo; it works only on the focused field.
  if (document.activeElement === field && document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Holds back updates of a live part of the page while someone is using it.
 * @param part its id
 * @param event the message that triggers its refresh
 * @returns a function that does a missed refresh once the part is no longer in use
 */
export function keepStill(part: string, event: string, isBusy: () => boolean): () => void {
  let isBehind = false;
  document.addEventListener("htmx:before:swap", (swap) => {
    if (!(swap.target instanceof Element) || swap.target.id !== part || !isBusy()) return;
    swap.preventDefault();
    isBehind = true;
  });
  return () => {
    if (!isBehind || isBusy()) return;
    isBehind = false;
    document.getElementById("live-stream")?.dispatchEvent(new Event(event, { bubbles: true }));
  };
}
