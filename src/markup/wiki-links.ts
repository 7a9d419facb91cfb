import type { MarkdownIt, StateInline } from "markdown-it";

const LINK = /\[\[([^[\]\n]{1,1000})\]\]/y;
const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp)$/i;
const OPTION = /^(alt|title)=\s*(?:"([^"]*)"|'([^']*)'|(.*))$/;

/**
 * `[[Page]]`, `[[words|Page]]` and `[[picture.png|alt="…"]]` in wiki texts (contract web.md 4.3). The link remains
 * relative to the wiki, like all others in its texts.
 */
export function wikiLinks(md: MarkdownIt): void {
  md.inline.ruler.before("link", "wiki-links", (state: StateInline, silent: boolean) => {
    if (!state.src.startsWith("[[", state.pos)) return false;
    const pattern = new RegExp(LINK);
    pattern.lastIndex = state.pos;
    const found = pattern.exec(state.src);
    if (!found?.[1]) return false;
    const parts = found[1].split("|").map((part) => part.trim());
    const options = parts.flatMap((part) => {
      const option = OPTION.exec(part);
      return option ? [[option[1] ?? "", option[2] ?? option[3] ?? option[4] ?? ""] as const] : [];
    });
    const words = parts.filter((part) => part !== "" && !OPTION.test(part));
    const [text = "", target = text] = words;
    if (text === "") return false;
    if (!silent) add(state, { text, target, options });
    state.pos += found[0].length;
    return true;
  });
}

interface WikiLink {
  readonly text: string;
  readonly target: string;
  readonly options: readonly (readonly [name: string, value: string])[];
}

function add(state: StateInline, { text, target, options }: WikiLink): void {
  if (IMAGE.test(target)) {
    const image = state.push("image", "img", 0);
    image.attrs = [
      ["src", encodeURI(target)],
      ["alt", ""],
    ];
    const words = new Map(options);
    const title = words.get("title");
    if (title !== undefined) image.attrs.push(["title", title]);
    image.content = words.get("alt") ?? (text === target ? "" : text);
    const said = new state.Token("text", "", 0);
    said.content = image.content;
    image.children = [said];
    return;
  }
  // A URL stays as it is; a page name has dashes for its spaces.
  const isAddress = /^(?:[a-z][a-z0-9+.-]*:|\/|#)/i.test(target);
  const [page = "", anchor] = target.split("#", 2);
  const path = page.trim().replaceAll(" ", "-").split("/").map(encodeURIComponent).join("/");
  const href = isAddress ? target : anchor === undefined ? path : `${path}#${encodeURIComponent(anchor)}`;
  const open = state.push("link_open", "a", 1);
  open.attrs = [["href", state.md.validateLink(href) ? href : ""]];
  state.push("text", "", 0).content = text;
  state.push("link_close", "a", -1);
}
