/** Tasks in the contract's order (identity.md 15.2): clients that read one page find all of these on it. */
const LISTED_FIRST = [
  "update_mirrors",
  "repo_health_check",
  "check_repo_stats",
  "archive_cleanup",
  "sync_external_users",
  "deleted_branches_cleanup",
  "update_migration_poster_id",
  "cleanup_hook_task_table",
  "cleanup_packages",
  "cleanup_actions",
  "delete_old_actions",
  "delete_old_system_notices",
  "update_checker",
  "stop_zombie_tasks",
  "stop_endless_tasks",
  "cancel_abandoned_jobs",
  "start_schedule_tasks",
  "sync_repo_licenses",
  "delete_inactive_accounts",
  "delete_repo_archives",
  "rebuild_issue_indexer",
  "gc_lfs",
  "git_gc_repos",
  "resync_all_sshkeys",
  "resync_all_sshprincipals",
  "resync_all_hooks",
  "reinit_missing_repos",
  "delete_missing_repos",
  "delete_generated_repository_avatars",
] as const;

const places: ReadonlyMap<string, number> = new Map(LISTED_FIRST.map((name, at) => [name, at]));

/** Those first, then the others in their order. */
export function inContractOrder<T extends { readonly name: string }>(tasks: readonly T[]): T[] {
  const placeOf = ({ name }: T) => places.get(name) ?? LISTED_FIRST.length;
  return tasks.toSorted((a, b) => placeOf(a) - placeOf(b));
}
