//! What is sold.
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;

#[derive(Debug, Clone, PartialEq)]
pub enum Item<'a> {
    Fruit { name: &'a str, price: f64 },
    Box(Vec<Item<'a>>),
    Nothing,
}

pub trait Priced {
    const LIMIT: usize = 0x10;
    fn price(&self) -> f64;
    fn cheap(&self) -> bool { self.price() < 1.5e0 }
}

impl<'a> Priced for Item<'a> {
    fn price(&self) -> f64 {
        match self {
            Item::Fruit { price, .. } if *price > 0.0 => *price,
            Item::Box(items) => items.iter().map(|item| item.price()).sum(),
            Item::Fruit { .. } | Item::Nothing => 0.0,
        }
    }
}

fn count<T: Display + ?Sized>(words: &[&T]) -> Result<HashMap<String, usize>, ()> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (at, word) in words.iter().enumerate() {
        *seen.entry(word.to_string()).or_insert(0) += at as usize;
    }
    if seen.is_empty() { return Err(()); }
    Ok(seen)
}

macro_rules! twice {
    ($value:expr) => { $value * 2 };
}

fn main() {
    let items = vec![Item::Nothing; twice!(2)];
    let mut at = 0;
    'outer: loop {
        while at < items.len() { at += 1; if at == 3 { break 'outer; } }
    }
    println!("{} {:?} {}", items[0].price(), r#"raw"#, 'x');
    let _tree: BTreeMap<u8, [i32; 3]> = BTreeMap::new(); /* unused */
    unsafe { std::ptr::null::<u8>().read() };
}
