import type { TestService } from './service.js';

interface Named {
  name: string;
}
interface Update {
  content: string;
  state: string | null;
  postedAt: string;
}

/** A page as lines: its components, its notices with their updates, and its subscribers. */
export async function describePage(service: TestService, page: string): Promise<string[]> {
  const query = `query ($page: ID!) { page(id: $page) {
    name timezoneName
    components { nodes { name parent { name } } }
    notices { nodes {
      subject state beganAt endedAt affectedComponents { component { name } impact }
      ... on PlannedNotice { beginsAt endsAt }
      updates { nodes { content state postedAt } }
    } }
    subscribers { nodes { email phoneNumber components { nodes { name } } createdAt } }
  } }`;
  const { json } = await service.graphql(query, { page });
  const { name, timezoneName, components, notices, subscribers } = json.data.page;
  const time = (value: string | null) => value?.replace(/:00\.000Z$/, '') ?? '-';
  return [
    `${name}, ${timezoneName}`,
    ...components.nodes.map((one: Named & { parent: Named | null }) =>
      one.parent ? `${one.parent.name} / ${one.name}` : one.name,
    ),
    // biome-ignore lint/suspicious/noExplicitAny: a response of GraphQL
    ...notices.nodes.flatMap((one: any) => [
      `${one.subject}: ${one.state} ${time(one.beganAt)} ${time(one.endedAt)}${
        one.beginsAt ? ` [${time(one.beginsAt)} ${time(one.endsAt)}]` : ''
      } ${one.affectedComponents.map((c: { component: Named; impact: string }) => `${c.component.name} ${c.impact}`)}`,
      ...one.updates.nodes.map((u: Update) => `  ${u.state} ${time(u.postedAt)} ${u.content}`),
    ]),
    // biome-ignore lint/suspicious/noExplicitAny: a response of GraphQL
    ...subscribers.nodes.map((one: any) =>
      [one.email, one.phoneNumber, ...one.components.nodes.map((c: Named) => c.name)].filter(Boolean).join(' '),
    ),
  ];
}
