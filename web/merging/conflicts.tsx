import type { Conflict, ConflictLabels, ConflictPiece, ConflictSide } from "../../src/pulls/conflicts/types.ts";
import { CancelLink, SubmitButton } from "../components/button.tsx";
import { ErrorSummary, FormActions, type FormErrors, TextArea } from "../components/form.tsx";
import { ItemTitle } from "../components/item-title.tsx";
import { Card, EmptyState, Notice } from "../components/surface.tsx";
import { useLanguage, useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { mergingWords } from "./words/index.ts";

export interface ConflictsProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly pull: { readonly title: string; readonly number: number; readonly href: string };
  readonly labels: ConflictLabels;
  /** The commits shown, which the resolution applies to. */
  readonly head: string;
  readonly base: string;
  readonly files: readonly Conflict[];
  /** Number of files that are not listed. */
  readonly more: number;
  /** No conflicts are left. */
  readonly isClean: boolean;
  /** undefined: the viewer may not resolve conflicts. */
  readonly form: { readonly message: string; typed(name: string): string } | undefined;
  readonly errors?: FormErrors | undefined;
}

/** `GET {W}/pulls/{index}/conflicts`: the conflicts to resolve, and the form for it. */
export function ConflictsPage(props: ConflictsProps) {
  const { errors, files, form, isClean, labels, more, pull, repo, shell } = props;
  const t = useWords(mergingWords);
  const names = { head: <code>{labels.ours}</code>, base: <code>{labels.theirs}</code> };
  const isWhole = files.length > 0 && more === 0;
  const list = files.map((file, at) => <ConflictBox file={file} at={at} of={props} />);
  return (
    <RepoPage
      shell={shell}
      repo={repo}
      tab="pulls"
      title={[t("conflictsOf", { title: pull.title, number: String(pull.number) })]}
      noIndex
    >
      <h1>{t("resolveConflicts")}</h1>
      <p>
        <a href={pull.href}>
          <ItemTitle text={pull.title} /> <span class="muted">#{pull.number}</span>
        </a>
      </p>
      <ErrorSummary errors={errors} />
      {isClean ? <EmptyState icon="check-circle" title={t("noConflicts")} /> : <p>{t.jsx("conflictsIntro", names)}</p>}
      {more > 0 ? (
        <Notice kind="warning">
          <p>{t("tooManyConflicts", { count: more })}</p>
        </Notice>
      ) : null}
      {!isClean && files.length === 0 ? (
        <Notice kind="warning">
          <p>{t("cannotListConflicts")}</p>
        </Notice>
      ) : null}
      {form && isWhole ? (
        <form class="stack" method="post" action={`${pull.href}/conflicts`} data-unsaved="">
          <input type="hidden" name="head" value={props.head} />
          <input type="hidden" name="base" value={props.base} />
          {list}
          <Card title={t("commit")}>
            <div class="form">
              <TextArea name="message" label={t("commitMessage")} value={form.message} rows={3} />
              <FormActions>
                <SubmitButton kind="primary" icon="git-merge">
                  {t.jsx("commitMerge", { head: labels.ours })}
                </SubmitButton>
                <CancelLink href={pull.href} />
              </FormActions>
            </div>
          </Card>
        </form>
      ) : (
        <div class="stack">{list}</div>
      )}
    </RepoPage>
  );
}

function ConflictBox({ at, file, of }: { at: number; file: Conflict; of: ConflictsProps }) {
  const mayDecide = of.form !== undefined && of.more === 0;
  return (
    <Card title={file.path} id={`conflict-${at}`}>
      {mayDecide ? <input type="hidden" name={`path-${at}`} value={file.path} /> : null}
      {file.about.map((text) => (
        <p class="muted">{text}</p>
      ))}
      {mayDecide ? <FileChoices file={file} at={at} of={of} /> : null}
      {file.text ? (
        <div class="conflict-pieces">
          <Pieces pieces={file.text.pieces} at={at} of={of} mayDecide={mayDecide} />
        </div>
      ) : null}
      {mayDecide && file.text?.whole !== undefined ? (
        <div class="conflict-whole">
          <WholeText at={at} text={file.text.whole} of={of} />
        </div>
      ) : null}
    </Card>
  );
}

/** Choices for the file as a whole. */
function FileChoices({ at, file, of }: { at: number; file: Conflict; of: ConflictsProps }) {
  const t = useWords(mergingWords);
  const { labels } = of;
  const name = `how-${at}`;
  const typed = of.form?.typed(name) || (file.text ? "pieces" : "");
  const radio = (value: string, label: string) => (
    <label class="conflict-choice">
      <input type="radio" name={name} value={value} checked={typed === value} /> {label}
    </label>
  );
  const side = useSideLabel();
  return (
    <fieldset class="conflict-choices">
      <legend>{t("wholeFile", { path: file.path })}</legend>
      {file.text ? radio("pieces", t("eachConflict")) : null}
      {radio("ours", side(labels.ours, file.ours))}
      {radio("theirs", side(labels.theirs, file.theirs))}
      {file.text?.whole !== undefined ? radio("text", t("editWhole")) : null}
    </fieldset>
  );
}

const SUBMODULE = 0o160000;

/** "As in main (1.2 KiB)", "Deleted, as in main". */
function useSideLabel() {
  const t = useWords(mergingWords);
  const language = useLanguage();
  return (branch: string, side: ConflictSide | undefined): string => {
    if (!side) return t("deletedIn", { branch });
    if (side.mode === SUBMODULE || side.sizeBytes === undefined)
      return t("asInAt", { branch, detail: side.oid.slice(0, 10) });
    return t("asInAt", { branch, detail: language.size(side.sizeBytes) });
  };
}

function Pieces(props: { pieces: readonly ConflictPiece[]; at: number; of: ConflictsProps; mayDecide: boolean }) {
  const { at, mayDecide, of, pieces } = props;
  let nth = -1;
  return (
    <>
      {pieces.map((piece) => {
        if (piece.kind === "merged") return <Merged piece={piece} />;
        nth += 1;
        return <ConflictHunk piece={piece} name={`piece-${at}-${nth}`} of={of} mayDecide={mayDecide} />;
      })}
    </>
  );
}

function Merged({ piece }: { piece: ConflictPiece & { kind: "merged" } }) {
  const t = useWords(mergingWords);
  const lines = (each: readonly string[]) =>
    each.length === 0 ? null : <pre class="conflict-same">{each.join("\n")}</pre>;
  return (
    <>
      {lines(piece.before)}
      {piece.left > 0 ? <p class="conflict-gap muted">{t("unchangedLines", { count: piece.left })}</p> : null}
      {lines(piece.after)}
    </>
  );
}

function ConflictHunk(props: {
  piece: ConflictPiece & { kind: "conflict" };
  name: string;
  of: ConflictsProps;
  mayDecide: boolean;
}) {
  const { mayDecide, name, of, piece } = props;
  const t = useWords(mergingWords);
  const { ours, theirs } = of.labels;
  const typed = of.form?.typed(name) ?? "";
  const radio = (value: string, label: string) => (
    <label class="conflict-choice">
      <input type="radio" name={name} value={value} checked={typed === value} /> {label}
    </label>
  );
  const own = of.form?.typed(`own-${name}`) || `${piece.ours}${piece.theirs}`;
  return (
    <div class="conflict-hunk">
      <div class="conflict-sides">
        <Side name={ours} text={piece.ours} kind="ours" />
        <Side name={theirs} text={piece.theirs} kind="theirs" />
      </div>
      {mayDecide ? (
        <fieldset class="conflict-choices">
          <legend>{t("resolution")}</legend>
          {radio("ours", t("takeFrom", { branch: ours }))}
          {radio("theirs", t("takeFrom", { branch: theirs }))}
          {radio("ours-theirs", t("takeBoth", { first: ours }))}
          {radio("theirs-ours", t("takeBoth", { first: theirs }))}
          {radio("own", t("takeOwn"))}
          <div class="conflict-own">
            <CodeArea name={`own-${name}`} label={t("ownText")} value={own} />
          </div>
        </fieldset>
      ) : null}
    </div>
  );
}

function Side({ kind, name, text }: { kind: "ours" | "theirs"; name: string; text: string }) {
  const t = useWords(mergingWords);
  return (
    <div class={`conflict-side conflict-${kind}`}>
      <p>
        <code>{name}</code>
      </p>
      {text === "" ? <p class="muted">{t("noLines")}</p> : <pre tabindex={0}>{text}</pre>}
    </div>
  );
}

function WholeText({ at, of, text }: { at: number; of: ConflictsProps; text: string }) {
  const t = useWords(mergingWords);
  return <CodeArea name={`text-${at}`} label={t("wholeText")} value={of.form?.typed(`text-${at}`) || text} />;
}

const MAX_ROWS = 30;

function CodeArea({ label, name, value }: { label: string; name: string; value: string }) {
  const rows = Math.min(MAX_ROWS, Math.max(3, value.split("\n").length));
  return (
    <label class="field">
      {label}
      <textarea class="conflict-text" name={name} rows={rows} spellcheck={false} wrap="off">
        {`\n${value}`}
      </textarea>
    </label>
  );
}
