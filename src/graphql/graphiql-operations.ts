/** What the editor has in its tabs: a night on call. The browser fills in `<page>`, `<component>` and the like. */
export interface ExampleOperation {
  query: string;
  variables?: object;
}

const content = 'Some requests **fail**. We are looking for the cause.';

export const exampleOperations: ExampleOperation[] = [
  {
    query: `# The tabs: what is done on a night on call.
# Variables: of the page that was created last.
query Pages {
  pages(last: 5) {
    nodes {
      id
      name
      state
      banner { state text }
      components { nodes { id name state } }
      notices(first: 5) {
        nodes { id subject state nextStates }
      }
    }
  }
}
`,
  },
  {
    query: `# What would happen, and who would be notified?
# Nothing is written, and nobody is notified.
query Preview(
  $page: ID!
  $input: PreviewPublicationInput!
) {
  previewPublication(pageId: $page, input: $input) {
    event
    pageState
    components {
      before
      after
      component { name }
    }
    audience { channel count }
    excluded { channel reason count }
    messages { mail { subject text } sms }
    warnings { code text }
    userErrors { path code message }
  }
}
`,
    variables: {
      page: '<page>',
      input: {
        openIncident: {
          ...{ subject: 'Requests fail', content, shouldPublish: true },
          affectedComponents: [{ componentId: '<component>', impact: 'PARTIAL_OUTAGE' }],
        },
      },
    },
  },
  {
    query: `# \`shouldPublish: true\` notifies subscribers.
mutation OpenIncident(
  $page: ID!
  $input: OpenIncidentInput!
) {
  openIncident(pageId: $page, input: $input) {
    notice { id link state nextStates }
    components { id name state }
    page { state }
    publication {
      id
      audience { channel count }
    }
    warnings { code text }
    userErrors { path code message }
  }
}
`,
    variables: {
      page: '<page>',
      input: {
        ...{ subject: 'Requests fail', content, shouldPublish: false },
        affectedComponents: [{ componentId: '<component>', impact: 'PARTIAL_OUTAGE' }],
      },
    },
  },
  {
    query: `# \`nextStates\`: the states that it can move to.
mutation Advance(
  $notice: ID!
  $input: AdvanceNoticeInput!
) {
  advanceNotice(id: $notice, input: $input) {
    notice {
      id
      state
      nextStates
      latestUpdate { contentText }
    }
    components { id name state }
    publication {
      id
      audience { channel count }
    }
    userErrors { path code message }
  }
}
`,
    variables: {
      notice: '<notice>',
      input: { state: 'IDENTIFIED', content: 'A disk is full. We are making room.', shouldPublish: false },
    },
  },
  {
    query: `mutation Schedule(
  $page: ID!
  $input: ScheduleMaintenanceInput!
) {
  scheduleMaintenance(pageId: $page, input: $input) {
    notice {
      id
      link
      state
      ... on PlannedNotice { beginsAt endsAt }
    }
    publication {
      id
      audience { channel count }
    }
    warnings { code text }
    userErrors { path code message }
  }
}
`,
    variables: {
      page: '<page>',
      input: {
        ...{ subject: 'New disks', content: 'Requests take longer meanwhile.', componentIds: ['<component>'] },
        ...{ beginsAt: '<tomorrow>', endsAt: '<an hour later>', shouldPublish: false },
      },
    },
  },
  {
    query: `# Live: subscription { publicationProgress }.
query WhoWasNotified($page: ID!) {
  publications(pageId: $page, first: 5) {
    nodes {
      event
      createdAt
      notice { subject }
      audience { channel count }
      counts { channel state count }
      deliveries(first: 5) {
        totalCount
        nodes {
          channel
          address
          state
          reason
          attempts { at outcome response }
        }
      }
    }
  }
}
`,
    variables: { page: '<page>' },
  },
  {
    query: `# It fills in what the input leaves out.
mutation ApplyTemplate(
  $page: ID!
  $input: OpenIncidentInput!
) {
  openIncident(pageId: $page, input: $input) {
    notice {
      id
      subject
      link
      components { nodes { name } }
      latestUpdate { contentText }
    }
    userErrors { path code message }
  }
}
`,
    variables: { page: '<page>', input: { templateId: '<template>', shouldPublish: false } },
  },
];

/** Whose ids the variables have. */
export const exampleRecordsQuery = `{
  viewer {
    pages(last: 1) {
      nodes {
        id
        components(first: 1, filter: { parentId: { present: false } }) { nodes { id } }
        notices(first: 1, filter: { type: { eq: UNPLANNED }, timelineState: { eq: PRESENT } }) { nodes { id } }
        noticeTemplates(first: 1) { nodes { id } }
      }
    }
  }
}`;
