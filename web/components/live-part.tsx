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

const STREAM = "live-stream";

/** What a part waits for that is fetched again when one of these messages comes, once in so many seconds at most. */
export const whenHeard = (messages: readonly string[], seconds: number): string =>
  messages.map((name) => `${name} from:#${STREAM} throttle:${seconds}s`).join(", ");

/**
 * Listens while the page is open; `LivePart`s hear what comes. There is one on a page. What answers with no stream, such as the sign-in page
 * of a proxy, changes nothing.
 */
export function LiveStream({ events, children }: { events: string; children: Children }) {
  return (
    <div id={STREAM} hx-sse:connect={events} hx-trigger="load" hx-swap="none">
      {children}
    </div>
  );
}

/**
 * A part of a page that is fetched again when one of these messages comes.
 * @param here what is fetched; absent: the address that the browser is at, which may hold what someone typed
 * @param seconds it is fetched no more often than once in so many; 2 when absent
 * @param also ids of other parts of the page that the same answer brings
 * @param include selector of a field whose value goes with it
 */
export function LivePart(props: {
  id: string;
  class?: string;
  here?: string;
  on: readonly string[];
  seconds?: number;
  also?: readonly string[];
  include?: string;
  children: Children;
}) {
  return (
    <div
      id={props.id}
      class={props.class}
      hx-get={props.here ?? ""}
      hx-include={props.include}
      hx-trigger={whenHeard(props.on, props.seconds ?? 2)}
      hx-select={`#${props.id}`}
      hx-select-oob={props.also?.map((id) => `#${id}:outerMorph`).join(",")}
      hx-swap="outerMorph"
    >
      {props.children}
    </div>
  );
}
