export const notificationStatuses = ["unread", "read", "pinned"] as const;
export type NotificationStatus = (typeof notificationStatuses)[number];

export const notificationSubjects = ["issue", "pull", "commit", "repository"] as const;
/** The subjects of threads; commits have none. */
export type NotificationSubject = (typeof notificationSubjects)[number];

/** Why someone is notified, weakest first. */
export const notificationReasons = [
  "watching",
  "participating",
  "author",
  "offered",
  "assigned",
  "review-requested",
  "mentioned",
] as const;
export type NotificationReason = (typeof notificationReasons)[number];

/** One person's thread about one subject. */
export interface Notification {
  readonly id: number;
  readonly userId: number;
  readonly repoId: number;
  /** Undefined: it is about the repository itself. */
  readonly issueId: number | undefined;
  readonly subject: NotificationSubject;
  readonly status: NotificationStatus;
  /** Of the latest event. */
  readonly reason: NotificationReason;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Filter for threads. */
export interface NotificationFilter {
  /** Empty: any. */
  readonly statuses: readonly NotificationStatus[];
  /** Empty: any. */
  readonly subjects: readonly NotificationSubject[];
  readonly repoId?: number | undefined;
  /** Changed at this time (milliseconds since 1970) or later, or earlier. */
  readonly since?: number | undefined;
  readonly before?: number | undefined;
}

/** Someone to notify, and why. */
export interface Receiver {
  readonly userId: number;
  readonly reason: NotificationReason;
}
