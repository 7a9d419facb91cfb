/**
 * Tasks of the contract (identity.md 15.2) that clients expect by name, and why they do nothing unless an area adds
 * one of that name: the feature does not exist yet, or the database already guarantees the result.
 */
export const idleTasks = [
  // `scrub` verifies everything stored, spread over the nights of months.
  { name: "repo_health_check", cron: "0 0 * * *" },
  // Archives are evicted when their space is needed.
  { name: "archive_cleanup", cron: "0 0 * * *" },
  // Deleted branches are not recorded.
  { name: "deleted_branches_cleanup", cron: "0 0 * * *" },
  // The index changes with its content.
  { name: "rebuild_issue_indexer", cron: "@yearly" },
  // Generated pictures are not stored.
  { name: "delete_generated_repository_avatars", cron: "0 0 */3 * *" },
  // The server does not check for newer versions.
  { name: "update_checker", cron: "@weekly" },
  // Keys and principals are read from the database with every connection.
  { name: "resync_all_sshkeys", cron: "0 0 */3 * *" },
  { name: "resync_all_sshprincipals", cron: "0 0 */3 * *" },
  // Hooks in git directories are not run.
  { name: "resync_all_hooks", cron: "0 0 */3 * *" },
] as const;
