-- 2,000 pages with 10 components each, to which notices are written.
insert into page (id, name, created_at, updated_at)
  select lpad(to_hex(p), 8, '0'), 'Page ' || p, timestamptz '2026-01-01', timestamptz '2026-01-01'
  from generate_series(1, 2000) p;

insert into brand (page_id, created_at, updated_at)
  select id, created_at, updated_at from page;

-- The ids of the components of page p are 10 * p - 9 to 10 * p.
insert into component (page_id, name, description, position, created_at, updated_at)
  select page.id, 'Component ' || c, 'Part ' || c || ' of ' || page.name, c, page.created_at, page.updated_at
  from page, generate_series(1, 10) c
  order by page.id, c;
