import type { Activity as Happened } from "../../src/activity/service.ts";
import type { Call } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { type Activity, Commits, Sentence } from "../home/activity.tsx";
import { activityItems } from "../home/activity-items.ts";
import { rendered } from "../jsx/page.ts";
import { languageOfCall } from "../language.ts";
import { refHref, repoHref } from "../links.ts";
import { releaseHref } from "../releases/addresses.ts";
import type { FeedEntry } from "./document.ts";

/** Activity as feed entries, worded as on the dashboard. */
export async function activityEntries(
  services: WebServices,
  call: Call,
  happened: readonly Happened[],
): Promise<FeedEntry[]> {
  const language = languageOfCall(call);
  const root = services.links.rootUrl.replace(/\/$/, "");
  const entries = await Promise.all(
    happened.map(async (one): Promise<FeedEntry[]> => {
      const [item] = await activityItems([one], services.findPushed);
      if (!item) return [];
      const sentence = rendered(<Sentence item={item} />, language);
      const commits =
        item.event.kind === "push" ? rendered(<Commits event={item.event} repo={item.repo} />, language) : "";
      const text = item.event.kind === "item" ? item.event.text : "";
      return [
        {
          hasHtmlTitle: true,
          title: [titleOf(sentence, item), ...(text === "" ? [] : [Bun.escapeHTML(text)])].join(": "),
          link: root + placeOf(item),
          id: `${root}${repoHref(item.repo)}#activity-${one.id}`,
          author: one.principal.login,
          at: one.createdAt,
          // Feed readers have no base URL for relative links.
          content: `<p>${sentence}</p>${commits}`.replaceAll('href="/', `href="${root}/`),
        },
      ];
    }),
  );
  return entries.flat();
}

/** The link of an entry. */
function placeOf({ event, repo }: Activity): string {
  if (event.kind === "push" || event.kind === "create-branch")
    return refHref(repo, "commits", { kind: "branch", name: event.branch });
  if (event.kind === "create-tag") return refHref(repo, "src", { kind: "tag", name: event.tag });
  if (event.kind === "publish-release") return releaseHref(repo, event.tag);
  return event.kind === "item" ? event.href : repoHref(repo);
}

/** The sentence without links, with the repository's full name: a feed reader mixes many repositories. */
function titleOf(sentence: string, { event, repo }: Activity): string {
  const text = sentence.replace(/<[^<>]*>/g, "");
  return event.kind === "item" ? text.replace(`#${event.number}`, `${repo.owner}/${repo.name}#${event.number}`) : text;
}
