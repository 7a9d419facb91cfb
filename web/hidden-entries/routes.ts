import type { Call, Route } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { entryTopicNames } from "../../src/issues/hidden-entries/types.ts";
import type { WebServices } from "../area.ts";
import { readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { redirectAfterPost } from "../visit.ts";
import { HIDDEN_ENTRIES } from "./panel.tsx";
import { hiddenEntriesWords } from "./words/index.ts";

/** Chooses which entries conversations hide: a checkbox per topic. */
export function hiddenEntriesPages(services: WebServices): Route[] {
  return [
    {
      method: "POST",
      path: HIDDEN_ENTRIES,
      surface: "page",
      access: ownAccount,
      handle: async (call: Call) => {
        const form = await readForm(call);
        const topics = entryTopicNames.filter((topic) => form.checked(topic));
        services.hiddenEntries.choose(call.principal, new Set(topics));
        const text = wordsFor(call, hiddenEntriesWords)("saved");
        return redirectAfterPost(services, call, "/user/settings/appearance", { kind: "success", text });
      },
    },
  ];
}
