import type { Children } from "../jsx/types.ts";
import { SettingsFrame } from "../layout/settings-frame.tsx";
import { PageFrame, type Shell } from "../layout/shell.tsx";

/** A page of the site administration. */
export function AdminFrame(props: {
  shell: Shell;
  title: string;
  /** The id of the page in the menu. */
  page: string;
  children: Children;
}) {
  return (
    <PageFrame shell={props.shell} title={[props.title, "Administration"]} width="wide" noIndex>
      <SettingsFrame
        title={props.title}
        menuLabel="Administration"
        links={props.shell.contributions.adminPages.map((entry) => ({ ...entry, current: entry.id === props.page }))}
      >
        {props.children}
      </SettingsFrame>
    </PageFrame>
  );
}
