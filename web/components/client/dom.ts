/** What every client module needs. No innerHTML anywhere: the policy (Trusted Types) would refuse it. */

export function find<E extends Element = HTMLElement>(selector: string, from: ParentNode = document): E[] {
  return [...from.querySelectorAll<E>(selector)];
}

/** What stands in a link or button; a count beside its name is no part of it. */
export function textOf(element: Element): string {
  return [...element.childNodes]
    .filter((node) => !(node instanceof Element && node.matches(".count, .i")))
    .map((node) => node.textContent ?? "")
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

/** Reads a text to those who listen to the page rather than see it. */
export function say(text: string): void {
  const region = document.getElementById("said");
  if (region) region.textContent = text;
}

/**
 * A sentence the page brought for the script, in the visitor's language (`data-…` of the live region); `{name}` in it
 * stands for a value.
 */
export function word(name: string, values: Readonly<Record<string, string | number>> = {}): string {
  const sentence = document.getElementById("said")?.dataset[name] ?? name;
  return sentence.replace(/\{(\w+)\}/g, (all, key: string) => String(values[key] ?? all));
}

/** The nearest element around the event's target that fits the selector. */
export function around<E extends Element = HTMLElement>(event: Event, selector: string): E | null {
  return event.target instanceof Element ? event.target.closest<E>(selector) : null;
}

/** Listens on the document for events at elements of a kind, those swapped in later as well. */
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

/** Calls back for the page and for every part that is swapped in. */
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

/** Puts a text in place of what is selected in a field, and the cursor behind it, as if it were typed. */
export function insertText(field: HTMLTextAreaElement, text: string): void {
  // Deprecated, and the only way that keeps the browser's undo; it knows no field but the one that has the focus.
  if (document.activeElement === field && document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * A part of the page that is fetched again when something happens stays as it is while someone is at it.
 * @param part its id
 * @param event the message that it is fetched again for
 * @returns fetches what was missed, once nobody is at it any more
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
