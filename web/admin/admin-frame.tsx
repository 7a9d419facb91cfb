import type { Children } from "../jsx/types.ts";
import { SettingsFrame } from "../layout/settings-frame.tsx";
import { PageFrame, type Shell } from "../layout/shell.tsx";

/** A page of the site administration. */
export function AdminFrame(props: { shell: Shell; title: string; children: Children }) {
  return (
    <PageFrame shell={props.shell} title={[props.title, "Administration"]} width="wide" noIndex>
      <SettingsFrame
        title={props.title}
        menuLabel="Administration"
        links={[{ label: "Users", href: "/-/admin/users", icon: "people", current: true }]}
      >
        {props.children}
      </SettingsFrame>
    </PageFrame>
  );
}
