/** Events in order: comments as cards, everything else as a line with an icon. */
import type { Children } from "../jsx/types.ts";
import { Avatar, type Person, PersonName } from "./avatar.tsx";
import { Icon, type IconName } from "./icon.tsx";
import type { Tone } from "./surface.tsx";
import { type Instant, Time } from "./time.tsx";

export function Timeline({ children }: { children: Children }) {
  return <ol class="timeline">{children}</ol>;
}

/** Someone did something: "grace closed this 3 hours ago". */
export function TimelineEvent(props: {
  icon: IconName;
  tone?: Tone;
  person: Person;
  at: Instant;
  id?: string;
  /** Content under the line. */
  below?: Children;
  children: Children;
}) {
  return (
    <li class="timeline-item" id={props.id}>
      <span class={`timeline-mark tone-${props.tone ?? "plain"}`}>
        <Icon name={props.icon} />
      </span>
      <div class="timeline-body">
        <div class="timeline-line">
          <PersonName person={props.person} /> {props.children}{" "}
          <span class="muted">
            <Time at={props.at} />
          </span>
        </div>
        {props.below}
      </div>
    </li>
  );
}

/** Something a user wrote. */
export function TimelineCard(props: {
  person: Person;
  at: Instant;
  id?: string;
  /** Badges and menus at the right of the header. */
  actions?: Children;
  children: Children;
}) {
  return (
    <li class="timeline-item" id={props.id}>
      <Avatar person={props.person} size={32} />
      <article class="timeline-body">
        <div class="card">
          <header class="card-head">
            <span>
              <PersonName person={props.person} />{" "}
              <span class="muted">
                <Time at={props.at} />
              </span>
            </span>
            {props.actions ? <div class="card-actions">{props.actions}</div> : null}
          </header>
          <div class="card-body">{props.children}</div>
        </div>
      </article>
    </li>
  );
}
