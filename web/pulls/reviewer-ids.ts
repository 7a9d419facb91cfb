import type { RequestedReviewers } from "../../src/pulls/review/requests.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";

/**
 * The reviewers that programs name by id, with team ids negated (contract pulls.md 22.1 and 22.4).
 * Unknown accounts and teams of other organizations are left out, so that names of hidden teams are not revealed.
 * @param text ids separated by commas
 */
export function reviewersById({ identity, teams }: WebServices, { owner }: SeenRepo, text: string): RequestedReviewers {
  const numbers = text.split(",").flatMap((part) => (/^\s*-?[1-9]\d{0,14}\s*$/.test(part) ? [Number(part)] : []));
  const ours = teams.byIds(numbers.flatMap((number) => (number < 0 ? [-number] : [])));
  return {
    users: [...identity.byIds(numbers.filter((number) => number > 0)).values()].map(({ login }) => login),
    teams: ours.flatMap(({ name, organizationId }) => (organizationId === owner.id ? [name] : [])),
  };
}
