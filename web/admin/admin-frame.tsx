import type { Children } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { SettingsFrame } from "../layout/settings-frame.tsx";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { adminWords } from "./words/index.ts";

/** A page of the site administration. */
export function AdminFrame(props: {
  shell: Shell;
  title: string;
  /** The page's id in the menu. */
  page: string;
  children: Children;
}) {
  const t = useWords(adminWords);
  const language = useLanguage();
  return (
    <PageFrame shell={props.shell} title={[props.title, t("administration")]} width="wide" noIndex>
      <SettingsFrame
        title={props.title}
        menuLabel={t("administration")}
        links={props.shell.contributions.adminPages.map((entry) => ({
          ...entry,
          label: entry.label(language),
          current: entry.id === props.page,
        }))}
      >
        {props.children}
      </SettingsFrame>
    </PageFrame>
  );
}
