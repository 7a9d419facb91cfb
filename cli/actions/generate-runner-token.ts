import { operator } from "../../src/access/principal.ts";
import { homeOfOther, homeOfRepo, homeOfSite } from "../../src/actions/homes.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { Services } from "../../src/services.ts";
import { type Options, textOption } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";

/**
 * `hearth actions generate-runner-token`: the token that runners of the site, an account or a repository register with.
 */
export const generateRunnerTokenCommand: Command = {
  name: "actions generate-runner-token",
  doc: "help-runner-token",
  options: [{ flags: "-s, --scope <scope>", doc: "help-runner-scope" }],
  run: (options) =>
    withServices(options, (services) => {
      console.log(services.actionsRunners.registrationToken(scopeOf(services, options)));
    }),
};

/** @throws NotFound when there is no such account or repository */
function scopeOf({ identity, repos }: Services, options: Options) {
  const scope = textOption(options, "scope") ?? "";
  if (scope === "") return homeOfSite(operator, "write");
  const [name = "", repoName, ...rest] = scope.split("/");
  const owner = identity.byLogin(name);
  if (!owner || rest.length > 0) throw new NotFound("account.missing", { params: { name } });
  if (repoName === undefined) return homeOfOther(operator, owner);
  const repo = repos.find(owner, repoName);
  const seen = repo && repos.seeById(operator, repo.id);
  if (!seen) throw new NotFound();
  return homeOfRepo(seen);
}
