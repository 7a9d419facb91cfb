import { InFlight } from "../kernel/in-flight.ts";
import { JobTimedOut, type WorkerPool } from "../workers/pool.ts";
import { type CodeHtml, codeLines, plainLines } from "./code-lines.ts";
import type { DocumentInput } from "./document.ts";
import type { Highlighted } from "./highlighter.ts";
import type { TextKind } from "./kinds.ts";
import { languageOf } from "./languages.ts";
import type { MarkdownContext } from "./renderer.ts";
import { asWritten, MAX_SOURCE, type MarkedHtml } from "./safe-html.ts";

/**
 * Longer texts are rendered in a worker: an ordinary one of 50 KB takes 20 ms, and so does the worst hostile one of 4
 * KB that tests/markup/hostile.test.ts finds. Texts with code to highlight are, too, because the grammars take 70 MB.
 */
const INLINE_CHARACTERS = 4 * 1024;
const CODE_FENCE = /^[ \t>*+-]*(?:```|~~~)[ \t]*[^\s`]/m;
/** Two dollars in a line, or lines of formulas: KaTeX is loaded only in workers. */
const FORMULA = /\$[^\n$]+\$|^[ \t>*+-]*\$\$/m;

/** Renders text written by users. Results depend only on the input: callers cache them by content hash. */
export class Markup {
  private readonly documents = new InFlight<string, MarkedHtml>();
  private readonly codes = new InFlight<string, CodeHtml>();

  /** @param options `timeoutMs`: how long a page waits for a text before it is shown as written */
  constructor(
    private readonly pool: WorkerPool,
    private readonly options: { readonly timeoutMs: number },
  ) {}

  /**
   * Renders Markdown to safe HTML with marks for references, which `ReferenceService` resolves for each reader; see
   * `render` in renderer.ts. Identical texts rendered at the same time share one run. Never throws for any text: if it
   * takes too long it is shown as written.
   */
  async markdown(source: string, context: MarkdownContext): Promise<MarkedHtml> {
    // No worker is needed for that.
    if (source.length > MAX_SOURCE) return asWritten(source);
    if (source.length <= INLINE_CHARACTERS && !CODE_FENCE.test(source) && !FORMULA.test(source)) {
      const { render } = await import("./renderer.ts");
      return render(source, context);
    }
    return this.inWorker({ kind: "markdown", source, context });
  }

  /** A file of that kind; like `markdown`, but a notebook may be longer. */
  document(kind: TextKind, source: string, context: MarkdownContext): Promise<MarkedHtml> {
    return kind === "markdown" ? this.markdown(source, context) : this.inWorker({ kind, source, context });
  }

  private inWorker(input: DocumentInput): Promise<MarkedHtml> {
    const { kind, source, context } = input;
    const options = { timeoutMs: this.options.timeoutMs, ...shareOf(context) };
    return this.documents.once(`${kind} ${JSON.stringify(context)} ${source}`, () =>
      this.pool.run("markup.document", input, options).catch(unlessTimedOut(() => asWritten(source))),
    );
  }

  /** Highlights a file, one entry per line; `language` overrides the file name. Plain if it takes too long. */
  highlight(source: string, file: { fileName: string; language?: string }): Promise<Highlighted> {
    return this.pool
      .run("markup.highlight", { source, ...file }, { timeoutMs: this.options.timeoutMs })
      .catch(unlessTimedOut(() => ({ lines: plainLines(source) })));
  }

  /** The highlighted file as a single HTML string for a page; short texts without a language need no worker. */
  async code(source: string, file: { fileName: string; language?: string }): Promise<CodeHtml> {
    const plain = () => {
      const lines = plainLines(source);
      return { html: codeLines(lines), lineCount: lines.length };
    };
    const language = file.language ?? languageOf(file.fileName, source.slice(0, 200));
    if (language === "" && source.length < INLINE_CHARACTERS) return plain();
    return this.codes.once(`${language} ${file.fileName}\n${source}`, () =>
      this.pool
        .run("markup.code", { source, ...file }, { timeoutMs: this.options.timeoutMs })
        .catch(unlessTimedOut(plain)),
    );
  }
}

/** The repository of the text, which has its own share of the worker threads. */
function shareOf({ links }: MarkdownContext): { share?: string } {
  return links.kind === "none" ? {} : { share: `text of:${links.repo.owner}/${links.repo.name}` };
}

/** Substitutes a result for a job that timed out. */
function unlessTimedOut<T>(instead: () => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof JobTimedOut) return instead();
    throw error;
  };
}
