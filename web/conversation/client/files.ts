import { find, insertText, make, on, say, word } from "../../components/client/dom.ts";

/** Dropped, pasted or chosen files: uploaded immediately, linked in the text, and attached to it. */

const boxOf = (element: Element) => element.closest<HTMLElement>("[data-text-box][data-upload]");

/** Escapes a file name inside Markdown brackets. */
const shownName = (name: string) => name.replace(/[[\]\\]/g, "\\$&");

async function send(box: HTMLElement, file: File): Promise<void> {
  const [field, list, action] = [
    box.querySelector("textarea"),
    box.querySelector<HTMLElement>("[data-files]"),
    box.dataset["upload"],
  ];
  if (!field || !list || !action) return;
  const line = make("li", {}, file.name, " ", make("progress", {}));
  list.append(line);
  const form = new FormData();
  form.append("file", file, file.name);
  try {
    const answer = await fetch(action, { method: "POST", body: form });
    const told = (await answer.json()) as { uuid?: string; message?: string };
    if (!told.uuid) throw new Error(told.message ?? word("failed"));
    const { uuid } = told;
    const mark = `${file.type.startsWith("image/") ? "!" : ""}[${shownName(file.name)}](/attachments/${uuid})`;
    insertText(field, `${mark}\n`);
    const remove = make("button", { type: "button", className: "btn btn-icon btn-quiet btn-small i-x" });
    remove.setAttribute("aria-label", `${word("close")} ${file.name}`);
    remove.addEventListener("click", () => {
      const body = new URLSearchParams({ file: uuid });
      void fetch(`${action}/remove`, { method: "POST", body });
      field.value = field.value.replace(`${mark}\n`, "").replace(mark, "");
      field.dispatchEvent(new Event("input", { bubbles: true }));
      line.remove();
    });
    line.replaceChildren(
      make("input", { type: "hidden", name: "files", value: uuid }),
      make("span", {}, file.name),
      " ",
      remove,
    );
  } catch (error) {
    const message = error instanceof Error ? error.message : word("failed");
    line.replaceChildren(make("span", { className: "field-error" }, `${file.name}: ${message}`));
    say(message);
  }
}

async function sendAll(box: HTMLElement, files: Iterable<File>): Promise<void> {
  for (const file of files) await send(box, file);
}

export function startFiles(): void {
  on("dragover", "[data-text-box][data-upload]", (box, event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    box.classList.add("is-dropping");
  });
  on("dragleave", "[data-text-box]", (box) => box.classList.remove("is-dropping"));
  on("drop", "[data-text-box][data-upload]", (box, event) => {
    box.classList.remove("is-dropping");
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    void sendAll(box, [...event.dataTransfer.files]);
  });
  on("paste", "[data-text-box][data-upload] textarea", (field, event) => {
    const box = boxOf(field);
    const files = [...(event.clipboardData?.files ?? [])];
    if (!box || files.length === 0) return;
    event.preventDefault();
    void sendAll(box, files);
  });
  on("change", "[data-pick-files]", (input) => {
    const box = boxOf(input);
    if (!(input instanceof HTMLInputElement) || !box) return;
    void sendAll(box, [...(input.files ?? [])]).then(() => {
      input.value = "";
    });
  });
  // A form is not submitted while a file is uploading.
  document.addEventListener("submit", (event) => {
    if (event.target instanceof HTMLFormElement && find("[data-files] progress", event.target).length > 0)
      event.preventDefault();
  });
}
