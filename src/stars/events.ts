/**
 * Changes of stars and watches; the account is the event's principal. A repeated call that changes nothing emits no
 * event.
 */
declare module "../events/types.ts" {
  interface EventPayloads {
    "repo.starred": Record<string, never>;
    "repo.unstarred": Record<string, never>;
    "repo.watched": Record<string, never>;
    "repo.unwatched": Record<string, never>;
  }
}

export const followEvents = {
  star: { added: "repo.starred", removed: "repo.unstarred" },
  watch: { added: "repo.watched", removed: "repo.unwatched" },
} as const;
