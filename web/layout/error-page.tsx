/** Pages for when something is not there, not allowed, or broken. They say no more than the status may tell. */
import { signInHref } from "../links.ts";
import { PageFrame, type Shell } from "./shell.tsx";

export type ErrorStatus = 400 | 403 | 404 | 405 | 409 | 413 | 429 | 500 | 503;

export interface ErrorPageProps {
  readonly shell: Shell;
  readonly status: ErrorStatus;
  /** What the log knows this request by; shown with 500 and 503. */
  readonly requestId?: string;
  /** A sentence for this case; it must not tell more than the visitor may know. */
  readonly detail?: string;
  /** For site administrators only. */
  readonly trace?: string;
  /** Somewhere useful to go, such as the same path on the default branch. */
  readonly suggestions?: readonly { readonly label: string; readonly href: string }[];
}

const WORDS: Record<ErrorStatus, { title: string; text: string }> = {
  400: { title: "Bad request", text: "The request could not be read." },
  403: { title: "Not allowed", text: "You do not have permission to do this." },
  404: {
    title: "Page not found",
    text: "The page you are trying to reach either does not exist or you are not authorised to view it.",
  },
  405: { title: "Not supported here", text: "This address does not support that kind of request." },
  409: {
    title: "Someone else changed this first",
    text: "Look at the current state and try again.",
  },
  413: { title: "Too large", text: "The request is larger than this server accepts." },
  429: { title: "Too many requests", text: "Please wait a moment before trying again." },
  500: { title: "Something went wrong", text: "The server could not finish this request. Nothing was changed." },
  503: { title: "Temporarily unavailable", text: "The server is starting, stopping or under maintenance." },
};

export function ErrorPage(props: ErrorPageProps) {
  const words = WORDS[props.status];
  return (
    <PageFrame shell={props.shell} title={[`${props.status} ${words.title}`]} width="narrow" noIndex>
      <div class="error-page">
        <p class="error-status" aria-hidden="true">
          {props.status}
        </p>
        <h1>{words.title}</h1>
        <p>{props.detail ?? words.text}</p>
        {props.requestId && props.status >= 500 ? (
          <p>
            Give the administrator this request id: <code>{props.requestId}</code>
          </p>
        ) : null}
        {props.trace ? <pre class="trace">{props.trace}</pre> : null}
        <Ways props={props} />
      </div>
    </PageFrame>
  );
}

function Ways({ props }: { props: ErrorPageProps }) {
  const ways = [...(props.suggestions ?? [])];
  if (props.shell.viewer === null && (props.status === 404 || props.status === 403))
    ways.push({ label: "Sign in", href: signInHref(props.shell.path) });
  ways.push({ label: "Home", href: "/" }, { label: "Explore repositories", href: "/explore/repos" });
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

/** The same in a few words, for a part of a page (`HX-Retarget: #flash`). */
export function ErrorFragment({
  status,
  detail,
  requestId,
}: {
  status: ErrorStatus;
  detail?: string;
  requestId?: string;
}) {
  const words = WORDS[status];
  return (
    <div class="flash-line">
      <div class="flash flash-error" role="alert">
        <span class="i i-stop" aria-hidden="true" />
        <div>
          <p>
            <strong>{words.title}.</strong> {detail ?? words.text}
            {requestId && status >= 500 ? ` Request id: ${requestId}` : ""}
          </p>
        </div>
      </div>
    </div>
  );
}
