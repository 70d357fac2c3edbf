use super::*;

#[test]
fn what_threads_were_told_has_an_order() {
    let prepared = Prepared::make();
    let mut explained = 0;
    for seed in 0..30 {
        match run(&prepared, seed, Size { clients: 4, calls: 15 }) {
            Finding::Explained => explained += 1,
            Finding::Undecided => {}
            Finding::Wrong(problem) => panic!("seed {seed}: {problem}"),
        }
    }
    assert!(explained >= 20, "an order was found for {explained} of 30 histories");
}
