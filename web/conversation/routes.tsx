import type { Route } from "../../src/http/route.ts";
import * as reader from "../../src/references/reader.ts";
import type { WebServices } from "../area.ts";
import { ofBothKinds } from "./both-kinds.ts";
import { commentPages } from "./comment-routes.tsx";
import { dependencyPages } from "./dependency-routes.ts";
import { filePages } from "./file-routes.ts";
import { historyPages } from "./history-routes.tsx";
import { itemPages } from "./item-routes.tsx";
import { newPages } from "./new-routes.tsx";
import { issueSettingsPages } from "./settings-routes.tsx";
import { suggestionPages } from "./suggestion-routes.ts";
import { ConversationTexts } from "./texts.ts";

/** The dependencies of item pages. */
export interface Conversations {
  readonly services: WebServices;
  readonly texts: ConversationTexts;
}

export function conversationPages(services: WebServices): Route[] {
  services.itemReferences.readWith(reader);
  const of: Conversations = { services, texts: new ConversationTexts(services) };
  return [
    ...newPages(of),
    ...suggestionPages(of),
    ...ofBothKinds([
      ...filePages(of),
      ...itemPages(of),
      ...commentPages(of),
      ...dependencyPages(of),
      ...historyPages(of),
    ]),
    ...issueSettingsPages(services),
  ];
}
