import { Logo } from "../components/icon.tsx";
import type { Children } from "../jsx/types.ts";

/** The box of the pages before signing in: sign in, register, set up, change the password. */
export function GatePage({ title, lead, children }: { title: string; lead?: string; children: Children }) {
  return (
    <div class="gate">
      <Logo />
      <h1>{title}</h1>
      {lead ? <p class="gate-lead">{lead}</p> : null}
      <div class="card">
        <div class="card-body">{children}</div>
      </div>
    </div>
  );
}
