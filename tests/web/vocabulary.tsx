/** The components pages are made of, each in its states, on one page. */
import { LinkButton, OpenButton, SubmitButton } from "../../web/components/button.tsx";
import { Chart } from "../../web/components/chart.tsx";
import { ConfirmDialog, Dialog, DialogActions } from "../../web/components/dialog.tsx";
import {
  CheckField,
  ErrorSummary,
  FormActions,
  RadioField,
  SelectField,
  TextArea,
  TextField,
  UploadField,
} from "../../web/components/form.tsx";
import { ListBar } from "../../web/components/list-bar.tsx";
import { ListSearch } from "../../web/components/list-search.tsx";
import { Pagination, Tabs } from "../../web/components/navigation.tsx";
import { Progress } from "../../web/components/progress.tsx";
import {
  Badge,
  Card,
  EmptyState,
  Menu,
  MenuLink,
  MenuOpen,
  Notice,
  RowMenu,
  Toast,
} from "../../web/components/surface.tsx";
import { Timeline, TimelineCard, TimelineEvent } from "../../web/components/timeline.tsx";
import { PageFrame } from "../../web/layout/shell.tsx";
import * as sample from "./samples.ts";

const { NOW, HOUR, DAY, ada, grace } = sample;
const weeks = [3, 9, 4, 0, 12, 17, 8, 5, 21, 14, 2, 11].map((value, at) => ({ label: `Week ${at + 1}`, value }));
const errors = { title: "This is required.", notes: "At most 20 characters." };

export function VocabularyPage() {
  return (
    <PageFrame
      shell={{ ...sample.shell, flash: { kind: "success", text: "Saved", form: "sample" } }}
      title={["Vocabulary"]}
      width="normal"
    >
      <h1>Vocabulary</h1>
      <Tabs
        label="Sections"
        tabs={[
          { label: "Overview", icon: "home", href: "#overview" },
          { label: "Issues", icon: "comment", href: "#issues", count: 14, current: true },
          { label: "Releases", icon: "tag", href: "#releases", count: 1234 },
          { label: "Settings", icon: "gear", href: "#settings" },
        ]}
      />
      <ListWithFilters />
      <Card title="Timeline">
        <SampleTimeline />
      </Card>
      <SampleForm />
      <Card title="Buttons, badges and menus">
        <div class="row">
          <SubmitButton kind="primary">Primary</SubmitButton>
          <LinkButton href="#main" icon="code">
            Normal
          </LinkButton>
          <LinkButton href="#main" kind="quiet">
            Quiet
          </LinkButton>
          <OpenButton kind="danger" opens="confirm">
            Delete
          </OpenButton>
          <OpenButton opens="plain">Open a dialog</OpenButton>
          <Menu name="Sort" label={<span class="btn">Sort</span>}>
            <ul>
              <li>
                <MenuLink href="#main" icon="clock">
                  Newest
                </MenuLink>
              </li>
              <li>
                <MenuOpen opens="confirm" icon="trash" danger>
                  Delete
                </MenuOpen>
              </li>
            </ul>
          </Menu>
        </div>
        <p class="row">
          <Badge>Plain</Badge>
          <Badge tone="ok" icon="check">
            Open
          </Badge>
          <Badge tone="warn" icon="clock">
            Waiting
          </Badge>
          <Badge tone="danger" icon="stop">
            Failed
          </Badge>
          <Badge tone="merged" icon="git-branch">
            Merged
          </Badge>
          <Badge tone="accent">Primary</Badge>
        </p>
        <Notice kind="info">
          <p>Something to know.</p>
        </Notice>
        <Notice kind="warning">
          <p>Something to watch.</p>
        </Notice>
        <Notice kind="error">
          <p>Something went wrong.</p>
        </Notice>
      </Card>
      <Card title="Progress and charts">
        <Progress label="Indexing" value={40} text="12 of 30 repositories" />
        <Progress label="Waiting for the server" />
        <Chart kind="bars" title="Commits a week" points={weeks} />
        <Chart kind="line" title="Visits a week" points={weeks} />
      </Card>
      <Card flush>
        <EmptyState
          icon="tag"
          title="No releases yet"
          action={
            <LinkButton href="#main" kind="primary">
              New release
            </LinkButton>
          }
        >
          A release is a tag with notes and files.
        </EmptyState>
      </Card>
      <Pagination of={{ page: 3, perPage: 20, total: 300, href: "/vocabulary" }} />
      <Dialog id="plain" title="A dialog">
        <form class="form" method="post" action="/vocabulary">
          <TextField name="name" id="dialog-name" label="Name" hint="A hint." required />
          <DialogActions label="Create" />
        </form>
      </Dialog>
      <ConfirmDialog
        id="confirm"
        title="Delete this?"
        action="/vocabulary"
        field="confirm"
        typed="ada/engine"
        label="Delete this"
      >
        <p>This cannot be undone.</p>
      </ConfirmDialog>
      <Toast text="The branch was deleted." />
    </PageFrame>
  );
}

function ListWithFilters() {
  const rows = ["Carry digits in one pass", "The store loses a card when it is full", "Brass is too soft"];
  return (
    <>
      <ListSearch
        action="/vocabulary"
        query=""
        sort="newest"
        sorts={[{ value: "newest", label: "Newest" }]}
        label="Search issues"
      />
      <div class="card">
        <ListBar
          label="State"
          states={[
            { label: "Open", href: "#open", icon: "comment", count: 14, current: true },
            { label: "Closed", href: "#closed", icon: "check", count: 120 },
          ]}
          filters={[
            {
              label: "Author",
              choices: [
                { label: "ada", href: "#ada", current: true },
                { label: "grace", href: "#grace" },
              ],
            },
            { label: "Label", choices: [{ label: "bug", href: "#bug" }] },
          ]}
        />
        <ul class="list">
          {rows.map((row) => (
            <li class="row nowrap">
              <a class="grow clip subject" href="#row">
                {row}
              </a>
              <RowMenu name={`More about ${row}`}>
                <li>
                  <MenuLink href="#edit" icon="pencil">
                    Edit
                  </MenuLink>
                </li>
              </RowMenu>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function SampleTimeline() {
  return (
    <Timeline>
      <TimelineCard person={ada} at={NOW - 2 * DAY} actions={<Badge>Author</Badge>}>
        <p>The last column takes the carry, and no one looks again.</p>
      </TimelineCard>
      <TimelineEvent icon="tag" person={grace} at={NOW - DAY}>
        added the label <Badge tone="danger">bug</Badge>
      </TimelineEvent>
      <TimelineEvent icon="git-branch" tone="merged" person={ada} at={NOW - 3 * HOUR}>
        merged commit <code>0a6bb341fa</code> into <strong>main</strong>
      </TimelineEvent>
      <TimelineEvent icon="check-circle" tone="ok" person={ada} at={NOW - HOUR}>
        closed this
      </TimelineEvent>
    </Timeline>
  );
}

function SampleForm() {
  const choices = [
    { value: "1", label: "Public", hint: "Everyone can see it." },
    { value: "2", label: "Private", hint: "Only you and the people you add." },
  ];
  return (
    <Card title="Form">
      <form class="form" method="post" action="/vocabulary">
        <ErrorSummary errors={errors} labels={{ title: "Title", notes: "Notes" }} />
        <TextField name="title" label="Title" error={errors.title} required />
        <TextArea name="notes" label="Notes" error={errors.notes} hint="Markdown is supported." />
        <div class="field-row">
          <SelectField name="kind" label="Kind" choices={choices} value="2" />
          <TextField name="date" label="Due date" placeholder="2026-11-22" />
        </div>
        <RadioField name="visibility" label="Visibility" choices={choices} value="1" />
        <CheckField name="notify" label="Tell the people who watch it" hint="By e-mail." checked />
        <UploadField name="file" label="File" hint="At most 10 MiB." />
        <FormActions form="sample" flash={{ kind: "success", text: "Saved", form: "sample" }}>
          <SubmitButton kind="primary">Save</SubmitButton>
          <LinkButton kind="quiet" href="#main">
            Cancel
          </LinkButton>
        </FormActions>
      </form>
    </Card>
  );
}
