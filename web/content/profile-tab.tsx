import type { ProfileTab } from "../area.ts";
import { contentWords } from "./words/index.ts";

/** The opening tab of a person's page: the README of `.profile` (contract web.md 2.5). */
export const overviewTab: ProfileTab = {
  id: "overview",
  label: contentWords.label("overview"),
  icon: "file",
  order: 10,
  shown: async (services, call, user) => {
    const { profileReadme } = await import("./profile-readme.ts");
    return (await profileReadme(services, call, user, ".profile")) !== undefined;
  },
  show: async (services, call, user) => {
    const [{ profileReadme }, { Readme }] = await Promise.all([import("./profile-readme.ts"), import("./readme.tsx")]);
    const readme = await profileReadme(services, call, user, ".profile");
    return readme && <Readme readme={readme} />;
  },
};
