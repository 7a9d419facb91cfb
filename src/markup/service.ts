import type { WorkerPool } from "../workers/pool.ts";
import { type CodeHtml, codeLines, plainLines } from "./code-lines.ts";
import type { Highlighted } from "./highlighter.ts";
import { languageOf } from "./languages.ts";
import type { MarkdownContext } from "./renderer.ts";
import type { MarkedHtml } from "./safe-html.ts";

/**
 * Longer texts are rendered in a worker: an ordinary one of 50 KB takes 20 ms, the worst hostile one of 16 KB found takes
 * 60 ms. So are texts whose code wants colours, because the grammars weigh 70 MB.
 */
const INLINE_CHARACTERS = 16 * 1024;
const CODE_FENCE = /^[ \t>*+-]*(?:```|~~~)[ \t]*[^\s`]/m;

/** Rendering of text that users wrote. Results depend only on the input: callers cache them by content hash. */
export class Markup {
  constructor(private readonly pool: WorkerPool) {}

  /**
   * Renders markdown to safe HTML with marks for references, which `ReferenceService` resolves for each reader; see
   * `render` in renderer.ts. Never throws on any text.
   */
  async markdown(source: string, context: MarkdownContext, signal?: AbortSignal): Promise<MarkedHtml> {
    if (source.length > INLINE_CHARACTERS || CODE_FENCE.test(source))
      return this.pool.run("markup.markdown", { source, context }, { signal });
    const { render } = await import("./renderer.ts");
    return render(source, context);
  }

  /** Colours a file, one entry a line; `language` wins over the file's name. */
  highlight(source: string, file: { fileName: string; language?: string }, signal?: AbortSignal): Promise<Highlighted> {
    return this.pool.run("markup.highlight", { source, ...file }, { signal });
  }

  /** The same as one piece of HTML for a page; short texts in no language need no worker. */
  async code(source: string, file: { fileName: string; language?: string }, signal?: AbortSignal): Promise<CodeHtml> {
    const language = file.language ?? languageOf(file.fileName, source.slice(0, 200));
    if (language === "" && source.length < INLINE_CHARACTERS) {
      const lines = plainLines(source);
      return { html: codeLines(lines), lineCount: lines.length };
    }
    return this.pool.run("markup.code", { source, ...file }, { signal });
  }
}
