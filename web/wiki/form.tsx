import { CancelLink, SubmitButton } from "../components/button.tsx";
import { ErrorSummary, FormActions, type FormState, TextField } from "../components/form.tsx";
import { Notice } from "../components/surface.tsx";
import { TextBox } from "../conversation/comment-form.tsx";
import { useWords } from "../language.ts";
import { repoHref } from "../links.ts";
import { wikiActionHref, wikiHref } from "./addresses.ts";
import { WikiFrame, type WikiPageProps } from "./frame.tsx";
import { wikiWords } from "./words/index.ts";

export type WikiField = "title" | "content" | "message";

/** A change someone else made to the page while it was being edited. */
export interface OtherChange {
  readonly name: string;
  /** URL that shows the change. */
  readonly href: string;
}

export interface WikiFormProps extends WikiPageProps {
  /** The page being edited; absent: a new one. */
  readonly page?: { readonly title: string; readonly address: string } | undefined;
  /** The blob id that the form was opened with, or that is to be overwritten. */
  readonly expected: string;
  readonly form: FormState<WikiField>;
  readonly other?: OtherChange | undefined;
}

/** Longer pages have to come through git or REST. */
const MAX_CHARACTERS = 1_000_000;

/** `GET {W}/wiki?action=_new` and `{W}/wiki/{Page}?action=_edit`. */
export function WikiFormPage(props: WikiFormProps) {
  const { form, other, page, repo } = props;
  const t = useWords(wikiWords);
  const { errors, values } = form;
  const heading = page ? t("editNamed", { title: page.title }) : t("newPage");
  const address = page?.address ?? "";
  const labels = { title: t("title"), content: t("text"), message: t("message") };
  return (
    <WikiFrame of={{ ...props, mayWrite: false }} title={heading} heading={heading} noIndex>
      {other ? (
        <Notice kind="warning">
          <p>
            {t("changedMeanwhile", { name: other.name })} <a href={other.href}>{t("seeOtherChange")}</a>
          </p>
        </Notice>
      ) : null}
      <form class="form" method="post" action={wikiActionHref(repo, address, page ? "_edit" : "_new")}>
        <ErrorSummary errors={errors} labels={labels} />
        <input type="hidden" name="expected" value={props.expected} />
        <TextField
          name="title"
          label={labels.title}
          hint={t("titleHint")}
          value={values?.title}
          error={errors?.title}
          maxLength={255}
          autocomplete="off"
          autofocus={!page}
          required
        />
        <TextBox
          id="f-content"
          name="content"
          label={labels.content}
          value={values?.content ?? ""}
          rows={20}
          maxLength={MAX_CHARACTERS}
          error={errors?.content}
          autofocus={page !== undefined}
          previewAction={wikiActionHref(repo, address, "_preview")}
          suggestAction={repoHref(repo, "issues/suggestions")}
          uploadAction={undefined}
          draft={`wiki:${repo.owner}/${repo.name}/${address}`}
        />
        <TextField
          name="message"
          label={labels.message}
          value={values?.message}
          error={errors?.message}
          maxLength={250}
          autocomplete="off"
        />
        <FormActions>
          <SubmitButton kind={other ? "danger" : "primary"}>{other ? t("saveOver") : t("save")}</SubmitButton>
          <CancelLink href={wikiHref(repo, address)} />
        </FormActions>
      </form>
    </WikiFrame>
  );
}
