/**
 * Tasks of the contract (identity.md 15.2) that clients look for by name, and what makes them unnecessary as long as no area
 * adds one of that name: there is nothing of the kind yet, or what they would put right follows from the database anyway.
 */
export const idleTasks = [
  // `scrub` reads all that is stored, in the months' nights.
  { name: "repo_health_check", cron: "0 0 * * *" },
  // Archives leave by themselves when their place is needed.
  { name: "archive_cleanup", cron: "0 0 * * *" },
  // No list is kept of branches that are gone.
  { name: "deleted_branches_cleanup", cron: "0 0 * * *" },
  // The index changes with what it is of.
  { name: "rebuild_issue_indexer", cron: "@yearly" },
  // Pictures that are made of a name are not stored.
  { name: "delete_generated_repository_avatars", cron: "0 0 */3 * *" },
  // No one is asked for newer versions.
  { name: "update_checker", cron: "@weekly" },
  // Keys and principals are read from the database with every connection.
  { name: "resync_all_sshkeys", cron: "0 0 */3 * *" },
  { name: "resync_all_sshprincipals", cron: "0 0 */3 * *" },
  // Hooks of folders are not run.
  { name: "resync_all_hooks", cron: "0 0 */3 * *" },
] as const;
