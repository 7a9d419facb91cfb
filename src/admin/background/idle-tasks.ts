/**
 * Tasks of the contract (identity.md 15.2) that clients look for by name, and what makes them unnecessary as long as no area
 * adds one of that name: there is nothing of the kind yet, or what they would put right follows from the database anyway.
 */
export const idleTasks = [
  // There are no mirrors.
  { name: "update_mirrors", cron: "*/10 * * * *" },
  // Keys and principals are read from the database with every connection.
  { name: "resync_all_sshkeys", cron: "0 0 */3 * *" },
  { name: "resync_all_sshprincipals", cron: "0 0 */3 * *" },
  // Hooks of folders are not run.
  { name: "resync_all_hooks", cron: "0 0 */3 * *" },
] as const;
