#import <Foundation/Foundation.h>

@protocol Counting <NSObject>
- (NSInteger)count;
@end

@interface Basket : NSObject <Counting>
@property(nonatomic, strong) NSMutableArray *items;
+ (instancetype)basketWithName:(NSString *)name;
- (void)add:(id)item times:(NSInteger)times;
@end

@implementation Basket
+ (instancetype)basketWithName:(NSString *)name {
    Basket *basket = [[self alloc] init];
    basket.items = [NSMutableArray arrayWithObject:name];
    return basket;
}
- (void)add:(id)item times:(NSInteger)times {
    for (NSInteger i = 0; i < times; i++) {
        [self.items addObject:item]; // again
    }
}
- (NSInteger)count {
    return (NSInteger)[self.items count];
}
@end

int main(void) {
    @autoreleasepool {
        Basket *basket = [Basket basketWithName:@"fruit"];
        [basket add:@"apple" times:3];
        NSLog(@"%ld", (long)[basket count]);
    }
    return 0;
}
