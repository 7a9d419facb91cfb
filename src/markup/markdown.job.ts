import { fenceColours } from "./highlighter.ts";
import { type MarkdownContext, render } from "./renderer.ts";
import type { MarkedHtml } from "./safe-html.ts";

/** Renders a markdown text in a worker, its fenced code in colours. */
export function run(input: { source: string; context: MarkdownContext }): MarkedHtml {
  return render(input.source, input.context, fenceColours());
}
