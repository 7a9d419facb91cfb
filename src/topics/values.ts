import { ValidationFailed } from "../kernel/errors.ts";

/** Max topics per repository. */
export const MAX_TOPICS = 25;
const MAX_CHARACTERS = 35;
const TOPIC = /^[a-z0-9][-.a-z0-9]*$/;

export function isTopic(name: string): boolean {
  return name.length <= MAX_CHARACTERS && TOPIC.test(name);
}

/** Topics as stored: trimmed, in lower case, without duplicates and empty ones; in the given order. */
export function cleanTopics(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.trim().toLowerCase()).filter((name) => name !== ""))];
}

/**
 * Checks all topics of a repository together.
 * @throws ValidationFailed `topics.too-many`, or `topics.bad-names` with the bad ones, separated by commas
 */
export function checkTopics(names: readonly string[]): string[] {
  const topics = cleanTopics(names);
  const bad = topics.filter((name) => !isTopic(name));
  if (topics.length - bad.length > MAX_TOPICS) throw new ValidationFailed("topics.too-many", { field: "topics" });
  if (bad.length > 0)
    throw new ValidationFailed("topics.bad-names", { field: "topics", params: { names: bad.join(",") } });
  return topics;
}

/** @throws ValidationFailed `topics.bad-name` */
export function checkTopic(name: string): string {
  const topic = name.trim().toLowerCase();
  if (!isTopic(topic)) throw new ValidationFailed("topics.bad-name", { field: "topic", params: { name } });
  return topic;
}
