import { afterAll, beforeAll, expect, test } from "bun:test";
import { operator } from "../../src/access/principal.ts";
import { homeOfOther, homeOfRepo, homeOfSite } from "../../src/actions/homes.ts";
import { aRepo, aServer, aUser, type TestServer } from "../builders.ts";
import { hearth } from "./run.ts";

// A server runs on the folder all the time: the terminal works next to it.
let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

const generate = (...words: string[]) => hearth(server.dataDir, ["actions", "generate-runner-token", ...words]);

test("the token with which runners of the site, an account or a repository register is printed alone", async () => {
  const { actionsRunners, repos } = server.services;
  const ada = await aUser(server, { login: "ada" });
  const { id } = aRepo(server, ada.user, { name: "garden" });
  const seen = repos.seeById(operator, id);
  if (!seen) throw new Error("it is there");
  for (const [words, home] of [
    [[], homeOfSite(operator, "write")],
    [["--scope", "Ada"], homeOfOther(operator, ada.user)],
    [["-s", "ada/garden"], homeOfRepo(seen)],
  ] as const) {
    const { code, err, out } = await generate(...words);
    expect([code, err, out]).toEqual([0, "", `${actionsRunners.registrationToken(home)}\n`]);
  }
  for (const scope of ["nobody", "ada/nothing", "/", "ada/garden/x"]) {
    const { code, out } = await generate("-s", scope);
    expect([scope, code, out]).toEqual([scope, 1, ""]);
  }
});
