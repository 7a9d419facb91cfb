/** "Go to file" and the palette: loaded when one of them is opened, as are the paths. */
import { find, make, say, textOf, word } from "../../components/client/dom.ts";
import { best } from "../client/fuzzy.ts";

const SHOWN = 30;

interface Way {
  readonly text: string;
  go(): void;
}

let paths: Promise<readonly string[]> | undefined;

async function fetchPaths(address: string): Promise<readonly string[]> {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  const found: unknown = answer.ok ? await answer.json() : [];
  return Array.isArray(found) ? found.filter((path): path is string => typeof path === "string") : [];
}

function filesOf({ dataset }: HTMLElement): Promise<Way[]> {
  paths ??= fetchPaths(dataset["paths"] ?? "");
  return paths.then((all) =>
    all.map((text) => ({
      text,
      go: () => location.assign(`${dataset["base"]}/${text.split("/").map(encodeURIComponent).join("/")}`),
    })),
  );
}

/** Every named link or control of the page: in its frame, or with a shortcut. */
function commands(): Way[] {
  const elements = find(
    "header nav a[href], .tabs a[href], [data-hotkey]:is(a, button), .site-footer button[type=button]",
  );
  const ways = new Map<string, Way>();
  for (const element of new Set(elements)) {
    const name = element.getAttribute("aria-label") || textOf(element);
    if (name === "") continue;
    // The site and a repository both have issues: later entries also name their place.
    const place = element.closest("nav[aria-label]")?.getAttribute("aria-label");
    const text = ways.has(name) && place ? `${place}: ${name}` : name;
    if (!ways.has(text)) ways.set(text, { text, go: () => element.click() });
  }
  return [...ways.values()];
}

/** The text with the matching letters in bold. */
function marked(text: string, letters: readonly number[]): (Node | string)[] {
  const chosen = new Set(letters);
  return [...text.split("")].map((letter, at) => (chosen.has(at) ? make("b", { textContent: letter }) : letter));
}

function row(way: Way, letters: readonly number[], close: () => void): HTMLElement {
  const button = make(
    "button",
    { type: "button", className: "menu-item" },
    make("span", {}, ...marked(way.text, letters)),
  );
  button.addEventListener("click", () => {
    close();
    way.go();
  });
  return make("li", {}, button);
}

/** @param opener has the label, and on a repository page the URLs of the paths and the files */
export function open(opener: HTMLElement): void {
  document.getElementById("finder")?.remove();
  const label = opener.dataset["label"] ?? "";
  const field = make("input", { type: "search", placeholder: label, autocomplete: "off", spellcheck: false });
  field.setAttribute("aria-label", label);
  const list = make("ul", { className: "menu-list" });
  const dialog = make("dialog", { className: "dialog finder", id: "finder" }, field, list);
  dialog.setAttribute("aria-label", label);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  const files = opener.dataset["paths"] ? opener : document.querySelector<HTMLElement>("[data-paths]");
  const isPalette = !opener.dataset["paths"];
  const known = isPalette ? commands() : [];
  const show = async () => {
    const typed = field.value;
    const all = files && typed.trim() !== "" ? [...known, ...(await filesOf(files))] : known;
    // The input changed in the meantime.
    if (typed !== field.value) return;
    const found = best(all, ({ text }) => text, typed, SHOWN);
    const close = () => dialog.close();
    const rows =
      typed.trim() === ""
        ? known.map((way) => row(way, [], close))
        : found.map(({ entry, match }) => row(entry, match.letters, close));
    list.replaceChildren(...rows);
    if (typed !== "") say(word("files", { count: found.length }));
  };
  field.addEventListener("input", () => void show());
  dialog.addEventListener("keydown", (event) => {
    const rows = find<HTMLElement>("button", list);
    const at = rows.findIndex((each) => each.matches(":focus"));
    if (event.key === "Enter" && at < 0) rows[0]?.click();
    // Otherwise the field would handle the key first and clear itself.
    else if (event.key === "Escape") dialog.close();
    else if (event.key === "ArrowDown") (rows[at + 1] ?? field).focus();
    else if (event.key === "ArrowUp") (at < 0 ? rows.at(-1) : (rows[at - 1] ?? field))?.focus();
    else return;
    event.preventDefault();
  });
  document.body.append(dialog);
  dialog.showModal();
  void show();
}
