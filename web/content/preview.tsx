import { documentKind, isTextKind } from "../../src/markup/kinds.ts";
import { DiffFileBody } from "../components/diff-file.tsx";
import { Prose } from "../components/prose.tsx";
import { raw, trustHtml } from "../jsx/raw.ts";
import type { JSX } from "../jsx/types.ts";
import type { EditPlace } from "./edit-place.ts";
import { shownDiff } from "./shown-diff.ts";
import type { Sources } from "./sources.ts";

/** `diff`: the changes; `rendered`: the rendered document; `colours`: the highlighted text, for the editor itself. */
export const PREVIEWS = ["diff", "rendered", "colours"] as const;
export type PreviewKind = (typeof PREVIEWS)[number];

/** Whether a text with that name is rendered differently from its source. */
export const canRender = (path: string): boolean => isTextKind(documentKind(path));

/** A preview of the text in the editor. */
export async function editPreview(
  { services, rendered }: Sources,
  place: EditPlace,
  { kind, path, content }: { readonly kind: PreviewKind; readonly path: string; readonly content: string },
): Promise<JSX.Element> {
  if (kind === "colours") {
    const { lines } = await services.markup.highlight(content, { fileName: path });
    return <>{raw(trustHtml(lines.join("\n")))}</>;
  }
  const documents = documentKind(path);
  if (kind === "rendered" && isTextKind(documents)) {
    const html = await rendered.typed(place.seen, { text: content, branch: place.branch, path, kind: documents });
    return <Prose html={html} />;
  }
  const { seen, commit: at, branch } = place;
  const typed = { at, branch, path: place.path, content: new TextEncoder().encode(content) };
  const file = await services.edits.preview(seen, typed);
  return <DiffFileBody file={shownDiff(file)} of={{ style: "unified", href: "", whole: true }} />;
}
