import { markReferences } from "../references/marks.ts";
import type { TextKind } from "./kinds.ts";
import { notebookHtml } from "./notebook.ts";
import { orgHtml } from "./org/blocks.ts";
import { type Extras, type MarkdownContext, render } from "./renderer.ts";
import { asWritten, MAX_SOURCE, type MarkedHtml } from "./safe-html.ts";
import { sanitise } from "./sanitise.ts";

export interface DocumentInput {
  readonly kind: TextKind;
  readonly source: string;
  readonly context: MarkdownContext;
}

/**
 * Renders a document of any kind as part of a page. Never throws: anything that cannot be rendered is shown as written.
 */
export function renderDocument({ kind, source, context }: DocumentInput, extras: Extras): MarkedHtml {
  try {
    if (kind === "notebook") return notebookHtml(source, context, extras) ?? asWritten(source);
    if (kind === "markdown") return render(source, context, extras);
    if (source.length > MAX_SOURCE) return asWritten(source);
    const { colour = () => "", formulas } = extras;
    const safe = sanitise(orgHtml(source, { colour }), context.links);
    const html = formulas ? formulas(safe) : safe;
    return context.links.kind === "none" ? html : markReferences(html, { bareItems: context.links.kind === "repo" });
  } catch {
    return asWritten(source);
  }
}
