import { find, on, say, word } from "./dom.ts";

function textOf(element: HTMLElement): string {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element.value;
  const lines = find(".l", element);
  if (lines.length === 0) return element.textContent ?? "";
  return lines.map((line) => (line.textContent ?? "").replace(/\n$/, "")).join("\n");
}

async function copy(button: HTMLElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    say(word("copyRefused"));
    return;
  }
  const show = (done: boolean) => {
    button.classList.toggle("copied", done);
    button.classList.toggle("i-copy", !done);
    button.classList.toggle("i-check", done);
  };
  show(true);
  say(word("copied"));
  setTimeout(show, 1500, false);
}

export function startCopying(): void {
  on("click", "[data-copy],[data-copy-from]", (button) => {
    const source = document.getElementById(button.dataset["copyFrom"] ?? "");
    void copy(button, source ? textOf(source) : (button.dataset["copy"] ?? ""));
  });
  on("click", "input[data-select]", (field) => {
    if (field instanceof HTMLInputElement) field.select();
  });
}
