/** Events about organizations and their teams. The envelope's owner is the organization. */
declare module "../events/types.ts" {
  interface EventPayloads {
    "organization.member-removed": { userId: number };
    "team.created": { teamId: number; name: string };
    "team.edited": { teamId: number };
    "team.deleted": { teamId: number; name: string };
    "team.member-added": { teamId: number; userId: number };
    "team.member-removed": { teamId: number; userId: number };
    "team.repository-added": { teamId: number };
    "team.repository-removed": { teamId: number };
    /** That account has fewer rights than before on what the organization owns; null: anyone may be affected. */
    "organization.rights-lost": { userId: number | null };
  }
}

export {};
