import { find, make } from "../../components/client/dom.ts";

/** The file tree beside a page: directories open in place and stay open; arrow keys move through it. */

interface FileNode {
  readonly entryName: string;
  readonly entryMode: string;
  readonly fullPath: string;
}

const CLASSES: Readonly<Record<string, string>> = { tree: "f f-dir", symlink: "f f-link", commit: "f f-sub" };

function isNode(value: unknown): value is FileNode {
  return typeof value === "object" && value !== null && "entryName" in value && "fullPath" in value;
}

const escaped = (path: string) => path.split("/").map(encodeURIComponent).join("/");

class FilesTree {
  /** Directories that were opened here, remembered for the next page. */
  private readonly opened: Set<string>;

  constructor(private readonly nav: HTMLElement) {
    this.opened = new Set(this.read());
    this.dress(nav);
    nav.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>("button") : null;
      if (button?.parentElement) void this.toggle(button.parentElement);
    });
    nav.addEventListener("keydown", (event) => this.walk(event));
    for (const path of this.opened) void this.open(path);
    const current = nav.querySelector('[aria-current="page"]');
    if (current instanceof HTMLElement) nav.scrollTop = current.offsetTop - nav.clientHeight / 2;
  }

  private get key(): string {
    return `hearth-tree ${this.nav.dataset["filesTree"]}`;
  }

  private read(): string[] {
    try {
      const found: unknown = JSON.parse(sessionStorage.getItem(this.key) ?? "[]");
      return Array.isArray(found) ? found.filter((path) => typeof path === "string") : [];
    } catch {
      return [];
    }
  }

  private remember(path: string, isOpen: boolean): void {
    if (isOpen) this.opened.add(path);
    else this.opened.delete(path);
    try {
      sessionStorage.setItem(this.key, JSON.stringify([...this.opened]));
    } catch {
      // Storage is full or disabled.
    }
  }

  private pathOf(item: Element): string {
    const base = `${this.nav.dataset["src"]}/`;
    const link = item.querySelector<HTMLAnchorElement>(":scope > a");
    return link ? decodeURIComponent(link.pathname.slice(base.length)) : "";
  }

  /** Adds a toggle button to each directory. */
  private dress(within: Element): void {
    for (const link of find<HTMLAnchorElement>(".f-dir", within)) {
      const item = link.parentElement;
      if (!item || item.querySelector(":scope > button")) continue;
      const button = make("button", { type: "button", className: "tree-open" });
      const list = item.querySelector(":scope > ul");
      button.setAttribute("aria-expanded", String(list !== null));
      button.setAttribute("aria-label", (this.nav.dataset["contents"] ?? "").replace("{name}", link.textContent ?? ""));
      item.prepend(button);
    }
  }

  private itemAt(path: string): Element | undefined {
    return (
      find(".f-dir", this.nav)
        .map((link) => link.parentElement)
        .find((item) => item && this.pathOf(item) === path) ?? undefined
    );
  }

  private async open(path: string): Promise<void> {
    const item = this.itemAt(path);
    if (item && !item.querySelector(":scope > ul")) await this.fill(item);
  }

  private async toggle(item: Element): Promise<void> {
    const list = item.querySelector<HTMLElement>(":scope > ul");
    const willOpen = list === null || list.hidden !== false;
    if (list) list.hidden = !willOpen;
    else await this.fill(item);
    item.querySelector(":scope > button")?.setAttribute("aria-expanded", String(willOpen));
    this.remember(this.pathOf(item), willOpen);
  }

  /** Fetches the entries of a directory, and of those below it that were open. */
  private async fill(item: Element): Promise<void> {
    const path = this.pathOf(item);
    const answer = await fetch(`${this.nav.dataset["filesTree"]}/${escaped(path)}`);
    const body: unknown = answer.ok ? await answer.json() : undefined;
    const nodes = typeof body === "object" && body !== null && "fileTreeNodes" in body ? body.fileTreeNodes : [];
    const list = make("ul", {});
    for (const node of Array.isArray(nodes) ? nodes.filter(isNode) : []) {
      const href = `${this.nav.dataset["src"]}/${escaped(node.fullPath)}`;
      const className = CLASSES[node.entryMode] ?? "f";
      const textContent = node.entryName;
      const label =
        node.entryMode === "commit"
          ? make("span", { className, textContent })
          : make("a", { className, href, textContent });
      list.append(make("li", {}, label));
    }
    item.querySelector(":scope > ul")?.remove();
    item.append(list);
    this.dress(item);
    item.querySelector(":scope > button")?.setAttribute("aria-expanded", "true");
    for (const below of this.opened) if (below.startsWith(`${path}/`)) void this.open(below);
  }

  /** Arrow keys: up and down through visible entries, right opens or goes in, left closes or goes out. */
  private walk(event: KeyboardEvent): void {
    const links = find<HTMLElement>("a", this.nav).filter((link) => link.checkVisibility());
    const at = links.findIndex(
      (link) => link.parentElement?.contains(document.activeElement) && link.matches(":focus"),
    );
    const item = links[at]?.parentElement;
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const list = item.querySelector<HTMLElement>(":scope > ul");
    const isOpen = list !== null && list.hidden === false;
    const isDirectory = item.querySelector(":scope > button") !== null;
    const out = item.parentElement?.closest("li")?.querySelector<HTMLElement>(":scope > a");
    if (event.key === "ArrowDown") links[at + 1]?.focus();
    else if (event.key === "ArrowUp") links[at - 1]?.focus();
    else if (event.key === "ArrowRight" && isDirectory && !isOpen) void this.toggle(item);
    else if (event.key === "ArrowRight" && isOpen) list.querySelector("a")?.focus();
    else if (event.key === "ArrowLeft" && isOpen) void this.toggle(item);
    else if (event.key === "ArrowLeft") out?.focus();
    else return;
    event.preventDefault();
  }
}

export function startFilesTree(): void {
  for (const nav of find("[data-files-tree]")) new FilesTree(nav);
}
