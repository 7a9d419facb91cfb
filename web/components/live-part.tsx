import type { Children } from "../jsx/types.ts";

/** The event stream for everything in the repositories that the reader may see. */
export const ALL_EVENTS = "/explore/events";

/** Events that may change which repositories a user sees, or how a list shows them. */
export const REPO_LIST_EVENTS = [
  "repo.created",
  "repo.deleted",
  "repo.edited",
  "repo.hidden",
  "repo.renamed",
  "repo.restored",
  "repo.transferred",
] as const;

/** Events that also reorder a list sorted by more than name. */
export const MOVING_LIST_EVENTS = [
  ...REPO_LIST_EVENTS,
  "refs.changed",
  "repo.forked",
  "repo.starred",
  "repo.topics-changed",
  "repo.unstarred",
];

const STREAM = "live-stream";

/** The htmx trigger of a part that is fetched again on one of these messages, at most once in so many seconds. */
export const whenHeard = (messages: readonly string[], seconds: number): string =>
  messages.map((name) => `${name} from:#${STREAM} throttle:${seconds}s`).join(", ");

/**
 * Subscribes to events while the page is open; the `LivePart`s receive them. One per page. A response that is not an
 * event stream, such as the sign-in page of a proxy, changes nothing.
 */
export function LiveStream({ events, children }: { events: string; children: Children }) {
  return (
    <div id={STREAM} hx-sse:connect={events} hx-trigger="load" hx-swap="none">
      {children}
    </div>
  );
}

/**
 * A part of a page that is fetched again when one of these messages arrives.
 * @param here URL to fetch; absent: the page's current URL, which may hold what the user typed
 * @param seconds minimum time between two fetches; 2 when absent
 * @param also ids of other parts of the page that the same response updates
 * @param include selector of a field whose value is sent along
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
