/** Pages for what is missing, forbidden or broken. They reveal no more than the status may. */
import { useWords } from "../language.ts";
import { signInHref } from "../links.ts";
import { siteWords } from "../words/index.ts";
import { PageFrame, type Shell } from "./shell.tsx";

export type ErrorStatus = 400 | 403 | 404 | 405 | 409 | 413 | 429 | 500 | 503;

export interface ErrorPageProps {
  readonly shell: Shell;
  readonly status: ErrorStatus;
  /** The request's id in the log; shown with 500 and 503. */
  readonly requestId?: string;
  /** A sentence for this case; it must not reveal more than the visitor may know. */
  readonly detail?: string;
  /** For site administrators only. */
  readonly trace?: string;
  /** Useful links, such as the same path on the default branch. */
  readonly suggestions?: readonly { readonly label: string; readonly href: string }[];
}

export function ErrorPage(props: ErrorPageProps) {
  const t = useWords(siteWords);
  const title = t(`error-${props.status}`);
  return (
    <PageFrame shell={props.shell} title={[`${props.status} ${title}`]} width="narrow" noIndex>
      <div class="error-page">
        <p class="error-status" aria-hidden="true">
          {props.status}
        </p>
        <h1>{title}</h1>
        <p>{props.detail ?? t(`error-${props.status}-text`)}</p>
        {props.requestId && props.status >= 500 ? (
          <p>{t.jsx("requestId", { id: <code>{props.requestId}</code> })}</p>
        ) : null}
        {props.trace ? <pre class="trace">{props.trace}</pre> : null}
        <Ways props={props} />
      </div>
    </PageFrame>
  );
}

function Ways({ props }: { props: ErrorPageProps }) {
  const t = useWords(siteWords);
  const ways = [...(props.suggestions ?? [])];
  if (props.shell.viewer === null && (props.status === 404 || props.status === 403))
    ways.push({ label: t("signIn"), href: signInHref(props.shell.path) });
  ways.push({ label: t("home"), href: "/" }, { label: t("exploreRepositories"), href: "/explore/repos" });
  return (
    <ul class="ways">
      {ways.map((way) => (
        <li>
          <a href={way.href}>{way.label}</a>
        </li>
      ))}
    </ul>
  );
}

/** A short version, for a fragment of a page (`HX-Retarget: #flash`). */
export function ErrorFragment({
  status,
  detail,
  requestId,
}: {
  status: ErrorStatus;
  detail?: string;
  requestId?: string;
}) {
  const t = useWords(siteWords);
  return (
    <div class="flash-line">
      <div class="flash flash-error" role="alert">
        <span class="i i-stop" aria-hidden="true" />
        <div>
          <p>
            <strong>{t(`error-${status}`)}.</strong> {detail ?? t(`error-${status}-text`)}{" "}
            {requestId && status >= 500 ? t("requestId", { id: requestId }) : null}
          </p>
        </div>
      </div>
    </div>
  );
}
