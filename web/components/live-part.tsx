import type { Children } from "../jsx/types.ts";

/** Where pages hear of what happens in all repositories that their reader sees. */
export const ALL_EVENTS = "/explore/events";

/** Whatever may change which repositories someone sees, or how a list shows them. */
export const REPO_LIST_EVENTS = [
  "repo.created",
  "repo.deleted",
  "repo.edited",
  "repo.hidden",
  "repo.renamed",
  "repo.restored",
  "repo.transferred",
] as const;

/** And what moves one in a list that is ordered by more than names. */
export const MOVING_LIST_EVENTS = [
  ...REPO_LIST_EVENTS,
  "refs.changed",
  "repo.forked",
  "repo.starred",
  "repo.topics-changed",
  "repo.unstarred",
];

/**
 * Listens while the page is open; `LivePart`s in it hear what comes. What answers with no stream, such as the sign-in page
 * of a proxy, changes nothing.
 */
export function LiveStream({ events, children }: { events: string; children: Children }) {
  return (
    <div id="live-stream" hx-sse:connect={events} hx-trigger="load" hx-swap="none">
      {children}
    </div>
  );
}

/**
 * A part of a page that is fetched again when one of these messages comes.
 * @param here what is fetched; absent: the address that the browser is at, which may hold what someone typed
 * @param include selector of a field whose value goes with it
 */
export function LivePart(props: {
  id: string;
  class?: string;
  here?: string;
  on: readonly string[];
  include?: string;
  children: Children;
}) {
  return (
    <div
      id={props.id}
      class={props.class}
      hx-get={props.here ?? ""}
      hx-include={props.include}
      hx-trigger={props.on.map((name) => `${name} from:#live-stream throttle:2s`).join(", ")}
      hx-select={`#${props.id}`}
      hx-swap="outerMorph"
    >
      {props.children}
    </div>
  );
}
